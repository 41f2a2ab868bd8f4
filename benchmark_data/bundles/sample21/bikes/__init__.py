"""Bikes: the stations, trips, repairs and weather of a bicycle hire scheme."""
