CREATE TABLE depot (
    depot_code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    opened INTEGER
);
CREATE TABLE vehicle (
    vehicle_no TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    built INTEGER NOT NULL,
    seats INTEGER,
    low_floor TEXT NOT NULL,
    depot_code TEXT NOT NULL REFERENCES depot (depot_code),
    retired_on TEXT
);
CREATE TABLE line (
    line_code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    mode TEXT NOT NULL,
    colour TEXT
);
CREATE TABLE stop (
    stop_code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    zone INTEGER NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    step_free TEXT
);
CREATE TABLE line_stop (
    line_code TEXT NOT NULL REFERENCES line (line_code),
    direction TEXT NOT NULL,
    seq INTEGER NOT NULL,
    stop_code TEXT NOT NULL REFERENCES stop (stop_code),
    minutes INTEGER NOT NULL,
    PRIMARY KEY (line_code, direction, seq)
);
CREATE TABLE trip (
    trip_id INTEGER PRIMARY KEY,
    line_code TEXT NOT NULL REFERENCES line (line_code),
    direction TEXT NOT NULL,
    service_day TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    vehicle_no TEXT REFERENCES vehicle (vehicle_no),
    status TEXT NOT NULL
);
CREATE TABLE stop_time (
    trip_id INTEGER NOT NULL REFERENCES trip (trip_id),
    seq INTEGER NOT NULL,
    stop_code TEXT NOT NULL REFERENCES stop (stop_code),
    due TEXT NOT NULL,
    delay_seconds INTEGER,
    PRIMARY KEY (trip_id, seq)
);
CREATE TABLE incident (
    incident_id INTEGER PRIMARY KEY,
    reported_at TEXT NOT NULL,
    line_code TEXT,
    vehicle_no TEXT REFERENCES vehicle (vehicle_no),
    kind TEXT NOT NULL,
    minutes_lost INTEGER,
    note TEXT
);
CREATE TABLE ticket (
    ticket_code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    valid_hours INTEGER
);
CREATE TABLE fare (
    ticket_code TEXT NOT NULL REFERENCES ticket (ticket_code),
    audience TEXT NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (ticket_code, audience)
);
