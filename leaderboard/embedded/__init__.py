"""The site's own parts that AptBoard can start by itself."""
