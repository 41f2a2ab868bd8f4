"""Festival: the films, screenings, tickets, juries and awards of one film festival."""
