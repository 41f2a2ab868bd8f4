"""The courts of an invented country: cases with their parties, panels, hearings, rulings, citations and fees."""
