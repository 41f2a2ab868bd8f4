"""A collectible card game: cards, their printings in sets, rulings, legality by format, and players' decks."""
