"""The kitchen of a catering house: recipes made of recipes, what they need, who delivers it, and the menus served."""
