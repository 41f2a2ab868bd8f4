"""The allow-lists: decides which parsed queries may be sent."""
