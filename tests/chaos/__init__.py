"""Trials in which parts of a real site are killed and paused at random while it scores."""
