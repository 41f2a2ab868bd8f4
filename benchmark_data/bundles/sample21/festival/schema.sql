CREATE TABLE films (
    film_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    original_title TEXT,
    country TEXT NOT NULL,
    year INTEGER,
    minutes INTEGER NOT NULL,
    section TEXT NOT NULL,
    budget_cents INTEGER
);
CREATE TABLE people (
    person_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT,
    born INTEGER
);
CREATE TABLE credits (
    film_id INTEGER NOT NULL REFERENCES films (film_id),
    person_id INTEGER NOT NULL REFERENCES people (person_id),
    job TEXT NOT NULL,
    billing INTEGER,
    PRIMARY KEY (film_id, person_id)
);
CREATE TABLE venues (
    venue_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    quarter TEXT NOT NULL,
    seats INTEGER NOT NULL,
    step_free TEXT NOT NULL
);
CREATE TABLE screenings (
    screening_id INTEGER PRIMARY KEY,
    film_id INTEGER NOT NULL REFERENCES films (film_id),
    venue_id TEXT NOT NULL REFERENCES venues (venue_id),
    starts TEXT NOT NULL,
    version TEXT NOT NULL,
    talk TEXT NOT NULL,
    cancelled TEXT
);
CREATE TABLE tickets (
    ticket_id INTEGER PRIMARY KEY,
    screening_id INTEGER NOT NULL REFERENCES screenings (screening_id),
    kind TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    sold_on TEXT NOT NULL,
    scanned TEXT NOT NULL
);
CREATE TABLE ballots (
    film_id INTEGER NOT NULL REFERENCES films (film_id),
    number INTEGER NOT NULL,
    stars INTEGER,
    PRIMARY KEY (film_id, number)
);
CREATE TABLE juries (
    jury_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    section TEXT NOT NULL
);
CREATE TABLE jury_members (
    jury_id TEXT NOT NULL REFERENCES juries (jury_id),
    person_id INTEGER NOT NULL REFERENCES people (person_id),
    president TEXT NOT NULL,
    PRIMARY KEY (jury_id, person_id)
);
CREATE TABLE film_awards (
    award_id TEXT PRIMARY KEY,
    prize TEXT NOT NULL,
    film_id INTEGER NOT NULL REFERENCES films (film_id),
    jury_id TEXT NOT NULL REFERENCES juries (jury_id),
    money_cents INTEGER
);
CREATE TABLE person_awards (
    award_id TEXT PRIMARY KEY,
    prize TEXT NOT NULL,
    person_id INTEGER NOT NULL REFERENCES people (person_id),
    film_id INTEGER REFERENCES films (film_id),
    jury_id TEXT REFERENCES juries (jury_id)
);
CREATE TABLE audience_awards (
    award_id TEXT PRIMARY KEY,
    prize TEXT NOT NULL,
    film_id INTEGER NOT NULL REFERENCES films (film_id),
    ballots INTEGER NOT NULL,
    stars INTEGER NOT NULL
);
