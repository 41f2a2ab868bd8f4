CREATE TABLE apps (
    app_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    paid TEXT NOT NULL,
    launched TEXT NOT NULL
);
CREATE TABLE releases (
    app_id TEXT NOT NULL REFERENCES apps (app_id),
    version TEXT NOT NULL,
    channel TEXT NOT NULL,
    released TEXT NOT NULL,
    size_kb INTEGER NOT NULL,
    notes TEXT,
    PRIMARY KEY (app_id, version)
);
CREATE TABLE devices (
    device_id TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    os TEXT NOT NULL,
    os_version TEXT NOT NULL,
    rooted TEXT NOT NULL,
    ram_mb INTEGER,
    country TEXT,
    first_seen TEXT NOT NULL
);
CREATE TABLE consents (
    device_id TEXT PRIMARY KEY REFERENCES devices (device_id),
    analytics TEXT NOT NULL,
    adverts TEXT NOT NULL,
    asked TEXT NOT NULL
);
CREATE TABLE device_flags (
    device_id TEXT NOT NULL REFERENCES devices (device_id),
    flag TEXT NOT NULL,
    enabled TEXT NOT NULL,
    PRIMARY KEY (device_id, flag)
);
CREATE TABLE sessions (
    session_id INTEGER PRIMARY KEY,
    device_id TEXT NOT NULL REFERENCES devices (device_id),
    app_id TEXT NOT NULL REFERENCES apps (app_id),
    version TEXT NOT NULL,
    started TEXT NOT NULL,
    seconds INTEGER,
    network TEXT NOT NULL,
    background TEXT NOT NULL,
    FOREIGN KEY (app_id, version) REFERENCES releases (app_id, version)
);
CREATE TABLE events (
    session_id INTEGER NOT NULL REFERENCES sessions (session_id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    ok TEXT NOT NULL,
    value INTEGER,
    PRIMARY KEY (session_id, seq)
);
CREATE TABLE signatures (
    signature_id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    component TEXT NOT NULL,
    fixed_in TEXT,
    duplicate_of TEXT REFERENCES signatures (signature_id)
);
CREATE TABLE crashes (
    crash_id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (session_id),
    signature_id TEXT REFERENCES signatures (signature_id),
    at_ms INTEGER NOT NULL,
    fatal TEXT NOT NULL,
    free_mb INTEGER
);
