"""One summer at a middling airport: flights in and out, their crews, gates and aircraft, and why they were late."""
