CREATE TABLE networks (
    network_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    founded INTEGER
);
CREATE TABLE shows (
    show_id INTEGER PRIMARY KEY,
    network_id INTEGER REFERENCES networks (network_id),
    title TEXT NOT NULL,
    category TEXT NOT NULL,
    language TEXT NOT NULL,
    explicit TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,
    feed TEXT NOT NULL UNIQUE
);
CREATE TABLE episodes (
    episode_id TEXT PRIMARY KEY,
    show_id INTEGER NOT NULL REFERENCES shows (show_id),
    season INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    published TEXT NOT NULL,
    duration TEXT
);
CREATE TABLE guests (
    guest_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    profession TEXT NOT NULL,
    country TEXT
);
CREATE TABLE appearances (
    episode_id TEXT NOT NULL REFERENCES episodes (episode_id),
    guest_id INTEGER NOT NULL REFERENCES guests (guest_id),
    role TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    fee_cents INTEGER,
    PRIMARY KEY (episode_id, guest_id)
);
CREATE TABLE country_downloads (
    episode_id TEXT NOT NULL REFERENCES episodes (episode_id),
    country TEXT NOT NULL,
    downloads INTEGER NOT NULL,
    PRIMARY KEY (episode_id, country)
);
CREATE TABLE daily_downloads (
    show_id INTEGER NOT NULL REFERENCES shows (show_id),
    month TEXT NOT NULL,
    day INTEGER NOT NULL,
    downloads INTEGER,
    finished INTEGER,
    PRIMARY KEY (show_id, month, day)
);
CREATE TABLE sponsors (
    sponsor_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    industry TEXT NOT NULL,
    since INTEGER
);
CREATE TABLE adverts (
    advert_id INTEGER PRIMARY KEY,
    episode_id TEXT REFERENCES episodes (episode_id),
    sponsor_id TEXT NOT NULL REFERENCES sponsors (sponsor_id),
    slot TEXT NOT NULL,
    starts_at TEXT,
    price_cents INTEGER NOT NULL
);
-- The feed of a chart entry is a show's feed where the show is one of ours; nothing declares it.
CREATE TABLE charts (
    country TEXT NOT NULL,
    week TEXT NOT NULL,
    place INTEGER NOT NULL,
    feed TEXT NOT NULL,
    PRIMARY KEY (country, week, place)
);
