CREATE TABLE sets (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    released TEXT NOT NULL
);
CREATE TABLE artists (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT
);
CREATE TABLE formats (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    deck_size INTEGER NOT NULL
);
CREATE TABLE keywords (
    word TEXT PRIMARY KEY,
    reminder TEXT
);
CREATE TABLE cards (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    tribe TEXT,
    cost INTEGER,
    colours TEXT,
    power TEXT,
    toughness TEXT,
    text TEXT
);
CREATE TABLE card_keywords (
    card_id INTEGER NOT NULL REFERENCES cards (id),
    word TEXT NOT NULL REFERENCES keywords (word),
    PRIMARY KEY (card_id, word)
);
CREATE TABLE legalities (
    card_id INTEGER NOT NULL REFERENCES cards (id),
    format_code TEXT NOT NULL REFERENCES formats (code),
    status TEXT NOT NULL,
    since TEXT,
    PRIMARY KEY (card_id, format_code)
);
CREATE TABLE rulings (
    id INTEGER PRIMARY KEY,
    card_id INTEGER NOT NULL REFERENCES cards (id),
    ruled_on TEXT NOT NULL,
    source TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE TABLE printings (
    id INTEGER PRIMARY KEY,
    card_id INTEGER NOT NULL REFERENCES cards (id),
    set_code TEXT NOT NULL REFERENCES sets (code),
    number TEXT NOT NULL,
    rarity TEXT NOT NULL,
    foil TEXT NOT NULL,
    price_cents INTEGER,
    artist_id INTEGER REFERENCES artists (id),
    UNIQUE (set_code, number)
);
CREATE TABLE decks (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    player TEXT NOT NULL,
    format_code TEXT NOT NULL,
    built_on TEXT
);
CREATE TABLE deck_cards (
    deck_id INTEGER NOT NULL REFERENCES decks (id),
    card_id INTEGER NOT NULL REFERENCES cards (id),
    board TEXT NOT NULL,
    copies INTEGER NOT NULL,
    PRIMARY KEY (deck_id, card_id)
);
