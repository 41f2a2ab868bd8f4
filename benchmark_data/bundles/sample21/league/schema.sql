CREATE TABLE season (
    season TEXT PRIMARY KEY,
    first_day TEXT NOT NULL,
    sponsor TEXT
);
CREATE TABLE venue (
    venue_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    town TEXT NOT NULL,
    capacity INTEGER,
    opened INTEGER
);
CREATE TABLE team (
    team_code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    nickname TEXT,
    founded INTEGER NOT NULL,
    venue_id INTEGER NOT NULL REFERENCES venue (venue_id)
);
CREATE TABLE player (
    player_no INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    born TEXT,
    country TEXT NOT NULL,
    position TEXT NOT NULL,
    foot TEXT NOT NULL,
    height_cm INTEGER
);
CREATE TABLE squad (
    season TEXT NOT NULL REFERENCES season (season),
    team_code TEXT NOT NULL REFERENCES team (team_code),
    player_no INTEGER NOT NULL REFERENCES player (player_no),
    shirt INTEGER NOT NULL,
    PRIMARY KEY (season, team_code, player_no)
);
CREATE TABLE referee (
    referee_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    county TEXT NOT NULL
);
CREATE TABLE fixture (
    fixture_id INTEGER PRIMARY KEY,
    season TEXT NOT NULL REFERENCES season (season),
    round INTEGER NOT NULL,
    home_team TEXT NOT NULL REFERENCES team (team_code),
    away_team TEXT NOT NULL REFERENCES team (team_code),
    kick_off TEXT,
    status TEXT NOT NULL,
    home_goals INTEGER,
    away_goals INTEGER,
    attendance INTEGER,
    referee_id INTEGER REFERENCES referee (referee_id)
);
CREATE TABLE goal (
    fixture_id INTEGER NOT NULL REFERENCES fixture (fixture_id),
    goal_no INTEGER NOT NULL,
    team_code TEXT NOT NULL REFERENCES team (team_code),
    scorer_no INTEGER NOT NULL REFERENCES player (player_no),
    minute TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (fixture_id, goal_no)
);
CREATE TABLE card (
    card_id INTEGER PRIMARY KEY,
    fixture_id INTEGER NOT NULL REFERENCES fixture (fixture_id),
    team_code TEXT NOT NULL REFERENCES team (team_code),
    player_no INTEGER NOT NULL REFERENCES player (player_no),
    minute TEXT NOT NULL,
    colour TEXT NOT NULL
);
CREATE TABLE transfer (
    transfer_id INTEGER PRIMARY KEY,
    player_no INTEGER NOT NULL REFERENCES player (player_no),
    from_team TEXT REFERENCES team (team_code),
    to_team TEXT REFERENCES team (team_code),
    moved_on TEXT NOT NULL,
    fee_thousand INTEGER,
    on_loan TEXT NOT NULL
);
