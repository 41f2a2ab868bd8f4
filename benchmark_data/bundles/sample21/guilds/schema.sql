-- An online game. A match is called a bout here; its winner is NULL where it ended in a draw.
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    handle TEXT NOT NULL UNIQUE,
    country TEXT,
    joined TEXT NOT NULL,
    level INTEGER NOT NULL,
    gold INTEGER NOT NULL,
    invited_by INTEGER REFERENCES player (id)
);

CREATE TABLE settings (
    player_id INTEGER PRIMARY KEY REFERENCES player (id),
    language TEXT NOT NULL,
    hide_online TEXT NOT NULL,
    scale_percent INTEGER,
    newsletter INTEGER
);

CREATE TABLE badge (
    player_id INTEGER NOT NULL REFERENCES player (id),
    code TEXT NOT NULL,
    earned_on TEXT NOT NULL,
    PRIMARY KEY (player_id, code)
);

CREATE TABLE guild (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    tag TEXT NOT NULL,
    leader_id INTEGER NOT NULL REFERENCES player (id),
    founded TEXT NOT NULL,
    motto TEXT
);

CREATE TABLE guild_member (
    guild_id INTEGER NOT NULL REFERENCES guild (id),
    player_id INTEGER NOT NULL REFERENCES player (id),
    rank TEXT NOT NULL,
    since TEXT NOT NULL,
    left_on TEXT,
    PRIMARY KEY (guild_id, player_id)
);

CREATE TABLE item (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    rarity TEXT NOT NULL,
    price INTEGER,
    level_required INTEGER NOT NULL
);

CREATE TABLE inventory (
    player_id INTEGER NOT NULL REFERENCES player (id),
    item_id INTEGER NOT NULL REFERENCES item (id),
    quantity INTEGER NOT NULL,
    equipped TEXT NOT NULL,
    acquired TEXT NOT NULL,
    PRIMARY KEY (player_id, item_id)
);

CREATE TABLE quest (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    chapter INTEGER NOT NULL,
    follows_id INTEGER REFERENCES quest (id),
    gold INTEGER NOT NULL,
    reward_item_id INTEGER REFERENCES item (id)
);

CREATE TABLE quest_log (
    player_id INTEGER NOT NULL REFERENCES player (id),
    quest_id INTEGER NOT NULL REFERENCES quest (id),
    started TEXT NOT NULL,
    finished TEXT,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (player_id, quest_id)
);

CREATE TABLE bout (
    id INTEGER PRIMARY KEY,
    played_at TEXT NOT NULL,
    mode TEXT NOT NULL,
    map TEXT NOT NULL,
    seconds INTEGER NOT NULL,
    guild_a INTEGER NOT NULL REFERENCES guild (id),
    guild_b INTEGER NOT NULL REFERENCES guild (id),
    winner_id INTEGER REFERENCES guild (id)
);

CREATE TABLE bout_player (
    bout_id INTEGER NOT NULL REFERENCES bout (id),
    player_id INTEGER NOT NULL REFERENCES player (id),
    side TEXT NOT NULL,
    score INTEGER NOT NULL,
    deaths INTEGER,
    PRIMARY KEY (bout_id, player_id)
);

CREATE TABLE report (
    id INTEGER PRIMARY KEY,
    reported_id INTEGER NOT NULL REFERENCES player (id),
    reporter_id INTEGER REFERENCES player (id),
    reason TEXT NOT NULL,
    filed_on TEXT NOT NULL,
    verdict TEXT
);
