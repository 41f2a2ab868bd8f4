CREATE TABLE districts (
    zip TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    residents INTEGER
);
-- Trips name stations, and stations name districts; nothing declares either.
CREATE TABLE stations (
    station_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    zip TEXT NOT NULL,
    docks INTEGER NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    opened TEXT NOT NULL,
    closed TEXT,
    nearest INTEGER REFERENCES stations (station_id) DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE bikes (
    bike_id TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    electric TEXT NOT NULL,
    bought TEXT NOT NULL,
    retired TEXT
);
CREATE TABLE repairs (
    bike_id TEXT NOT NULL REFERENCES bikes (bike_id),
    number INTEGER NOT NULL,
    day TEXT NOT NULL,
    part TEXT NOT NULL,
    cost_cents INTEGER,
    PRIMARY KEY (bike_id, number)
);
CREATE TABLE members (
    member_id INTEGER PRIMARY KEY,
    plan TEXT NOT NULL,
    birth_year INTEGER,
    zip TEXT,
    joined TEXT NOT NULL
);
CREATE TABLE trips (
    trip_id INTEGER PRIMARY KEY,
    bike_id TEXT NOT NULL REFERENCES bikes (bike_id),
    member_id INTEGER REFERENCES members (member_id),
    from_station TEXT NOT NULL,
    to_station TEXT,
    day TEXT NOT NULL,
    zip TEXT NOT NULL,
    started TEXT NOT NULL,
    minutes INTEGER,
    fare_cents INTEGER NOT NULL
);
CREATE TABLE weather (
    day TEXT NOT NULL,
    zip TEXT NOT NULL,
    temperature TEXT,
    rain TEXT NOT NULL,
    wind_kmh INTEGER,
    events TEXT,
    PRIMARY KEY (day, zip)
);
CREATE TABLE moves (
    move_id INTEGER PRIMARY KEY,
    day TEXT NOT NULL,
    from_id INTEGER NOT NULL REFERENCES stations (station_id),
    to_id INTEGER NOT NULL REFERENCES stations (station_id),
    bikes INTEGER NOT NULL,
    van TEXT
);
