-- One summer at Holmby airport (HMB): each flight begins or ends there. All times are UTC.
-- A crew member's type ratings name types as in aircraft.type; that link is not declared.
CREATE TABLE airport (
    iata TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    country TEXT NOT NULL,
    elevation_ft INTEGER
);

CREATE TABLE airline (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    alliance TEXT
);

CREATE TABLE aircraft (
    registration TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    seats INTEGER NOT NULL,
    built INTEGER NOT NULL,
    airline_code TEXT NOT NULL REFERENCES airline (code)
);

CREATE TABLE maintenance (
    registration TEXT NOT NULL REFERENCES aircraft (registration),
    day TEXT NOT NULL,
    kind TEXT NOT NULL,
    hours REAL,
    PRIMARY KEY (registration, day)
);

CREATE TABLE gate (
    id TEXT PRIMARY KEY,
    terminal TEXT NOT NULL,
    has_bridge TEXT NOT NULL,
    closed_since TEXT
);

CREATE TABLE delay_code (
    code TEXT PRIMARY KEY,
    category TEXT NOT NULL,
    meaning TEXT NOT NULL
);

CREATE TABLE crew (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    rank TEXT NOT NULL,
    airline_code TEXT NOT NULL REFERENCES airline (code),
    joined TEXT NOT NULL
);

CREATE TABLE crew_rating (
    crew_id INTEGER NOT NULL REFERENCES crew (id),
    type TEXT NOT NULL,
    PRIMARY KEY (crew_id, type)
);

CREATE TABLE flight (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL,
    airline_code TEXT NOT NULL REFERENCES airline (code),
    origin TEXT NOT NULL REFERENCES airport (iata),
    destination TEXT NOT NULL REFERENCES airport (iata),
    day TEXT NOT NULL,
    planned_departure TEXT NOT NULL,
    planned_arrival TEXT NOT NULL,
    actual_departure TEXT,
    status TEXT NOT NULL,
    registration TEXT REFERENCES aircraft (registration),
    gate_id TEXT REFERENCES gate (id),
    passengers INTEGER
);

CREATE TABLE delay (
    flight_id INTEGER NOT NULL REFERENCES flight (id),
    nr INTEGER NOT NULL,
    code TEXT NOT NULL REFERENCES delay_code (code),
    minutes INTEGER NOT NULL,
    remark TEXT,
    PRIMARY KEY (flight_id, nr)
);

CREATE TABLE crew_duty (
    flight_id INTEGER NOT NULL REFERENCES flight (id),
    crew_id INTEGER NOT NULL REFERENCES crew (id),
    role TEXT NOT NULL,
    PRIMARY KEY (flight_id, crew_id)
);
