"""Podcasts: shows of several networks, their episodes, guests, downloads and adverts."""
