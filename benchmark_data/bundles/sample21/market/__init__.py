"""A mail-order shop for home, garden and outdoors: products in a tree of categories, orders, returns, reviews."""
