-- A parcel service. Zip codes of customers and recipients point at zip_area.zip; these links are not declared, and a
-- few codes are in no area. legacy_flag was never filled in.
CREATE TABLE depot (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    belts INTEGER NOT NULL,
    manager TEXT
);

CREATE TABLE zip_area (
    zip TEXT PRIMARY KEY,
    town TEXT NOT NULL,
    depot_code TEXT NOT NULL REFERENCES depot (code)
);

CREATE TABLE route (
    id TEXT PRIMARY KEY,
    from_depot TEXT NOT NULL REFERENCES depot (code),
    to_depot TEXT NOT NULL REFERENCES depot (code),
    km INTEGER NOT NULL,
    weekdays TEXT NOT NULL
);

CREATE TABLE customer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    zip TEXT NOT NULL,
    email TEXT
);

CREATE TABLE parcel (
    number TEXT PRIMARY KEY,
    sender_id INTEGER NOT NULL REFERENCES customer (id),
    recipient TEXT NOT NULL,
    zip TEXT NOT NULL,
    service TEXT NOT NULL,
    grams INTEGER NOT NULL,
    collect_cents INTEGER,
    declared_value TEXT,
    posted TEXT,
    legacy_flag TEXT
);

CREATE TABLE event_code (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    is_final TEXT NOT NULL
);

CREATE TABLE scan (
    id INTEGER PRIMARY KEY,
    parcel_number TEXT NOT NULL REFERENCES parcel (number),
    event TEXT NOT NULL REFERENCES event_code (code),
    depot_code TEXT REFERENCES depot (code),
    scanned_at TEXT NOT NULL,
    device TEXT
);

CREATE TABLE claim (
    parcel_number TEXT PRIMARY KEY REFERENCES parcel (number),
    filed TEXT NOT NULL,
    reason TEXT NOT NULL,
    asked_cents INTEGER NOT NULL,
    paid_cents INTEGER
);

CREATE TABLE driver (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    depot_code TEXT NOT NULL REFERENCES depot (code),
    hired TEXT NOT NULL
);

CREATE TABLE tour (
    id INTEGER PRIMARY KEY,
    driver_id INTEGER NOT NULL REFERENCES driver (id),
    day TEXT NOT NULL,
    vehicle TEXT NOT NULL,
    km INTEGER
);

CREATE TABLE tour_stop (
    tour_id INTEGER NOT NULL REFERENCES tour (id),
    nr INTEGER NOT NULL,
    parcel_number TEXT NOT NULL REFERENCES parcel (number),
    result TEXT NOT NULL,
    PRIMARY KEY (tour_id, nr)
);
