"""Three seasons of a football league: teams, squads, fixtures with goals and cards, transfers."""
