"""Public transport of a harbour city: lines and stops, three weeks of trips with delays, vehicles, incidents, fares."""
