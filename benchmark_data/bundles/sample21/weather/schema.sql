-- A weather service. In readings, -999 stands for "the logger was on and the sensor gave nothing", NULL for nothing at all.
CREATE TABLE region (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    parent_id INTEGER REFERENCES region (id)
);

-- Every region with each region above it; depth 1 is the parent.
CREATE TABLE region_ancestor (
    region_id INTEGER NOT NULL REFERENCES region (id),
    ancestor_id INTEGER NOT NULL REFERENCES region (id),
    depth INTEGER NOT NULL,
    PRIMARY KEY (region_id, ancestor_id)
);

CREATE TABLE station (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    region_id INTEGER NOT NULL REFERENCES region (id),
    elevation_m INTEGER,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    opened TEXT NOT NULL,
    closed TEXT
);

CREATE TABLE sensor (
    id INTEGER PRIMARY KEY,
    station_code TEXT NOT NULL REFERENCES station (code),
    kind TEXT NOT NULL,
    model TEXT NOT NULL,
    unit TEXT NOT NULL,
    installed TEXT NOT NULL,
    calibrated TEXT
);

CREATE TABLE normal (
    station_code TEXT NOT NULL REFERENCES station (code),
    month TEXT NOT NULL,
    mean_c REAL NOT NULL,
    rain_mm INTEGER NOT NULL,
    PRIMARY KEY (station_code, month)
);

CREATE TABLE reading (
    id INTEGER PRIMARY KEY,
    station_code TEXT NOT NULL REFERENCES station (code),
    day TEXT NOT NULL,
    hour INTEGER NOT NULL,
    temperature REAL,
    humidity INTEGER,
    wind REAL,
    rain REAL,
    UNIQUE (station_code, day, hour)
);

CREATE TABLE alert_kind (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    advice TEXT
);

CREATE TABLE alert (
    id INTEGER PRIMARY KEY,
    kind_code TEXT NOT NULL REFERENCES alert_kind (code),
    region_id INTEGER NOT NULL REFERENCES region (id),
    level INTEGER NOT NULL,
    issued TEXT NOT NULL,
    ended TEXT
);

CREATE TABLE alert_station (
    alert_id INTEGER NOT NULL REFERENCES alert (id),
    station_code TEXT NOT NULL REFERENCES station (code),
    peak REAL,
    PRIMARY KEY (alert_id, station_code)
);

CREATE TABLE observer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    station_code TEXT REFERENCES station (code),
    since TEXT NOT NULL,
    retired TEXT
);

CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    station_code TEXT NOT NULL REFERENCES station (code),
    observer_id INTEGER NOT NULL REFERENCES observer (id),
    day TEXT NOT NULL,
    phenomenon TEXT,
    text TEXT NOT NULL
);
