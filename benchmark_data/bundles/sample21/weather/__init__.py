"""A weather service: stations in a tree of regions, two winter months of readings, warnings and observers' notes."""
