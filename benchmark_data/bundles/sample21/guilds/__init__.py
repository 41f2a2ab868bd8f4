"""An online game: players with their belongings and settings, guilds, quests, matches between guilds, and reports."""
