CREATE TABLE courts (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    level TEXT NOT NULL,
    city TEXT NOT NULL,
    superior_code TEXT REFERENCES courts (code)
);
CREATE TABLE judges (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    court_code TEXT NOT NULL REFERENCES courts (code),
    appointed TEXT NOT NULL,
    born INTEGER
);
CREATE TABLE lawyers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    firm TEXT
);
CREATE TABLE parties (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    city TEXT,
    email TEXT
);
CREATE TABLE cases (
    docket TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    court_code TEXT NOT NULL REFERENCES courts (code),
    area TEXT NOT NULL,
    filed TEXT NOT NULL,
    claim_cents INTEGER,
    appeal_of TEXT REFERENCES cases (docket)
);
CREATE TABLE case_parties (
    docket TEXT NOT NULL REFERENCES cases (docket),
    party_id INTEGER NOT NULL REFERENCES parties (id),
    role TEXT NOT NULL,
    lawyer_id INTEGER REFERENCES lawyers (id),
    PRIMARY KEY (docket, party_id)
);
CREATE TABLE panels (
    docket TEXT NOT NULL REFERENCES cases (docket),
    judge_id INTEGER NOT NULL REFERENCES judges (id),
    seat TEXT NOT NULL,
    PRIMARY KEY (docket, judge_id)
);
CREATE TABLE hearings (
    id INTEGER PRIMARY KEY,
    docket TEXT NOT NULL REFERENCES cases (docket),
    held TEXT NOT NULL,
    room TEXT NOT NULL,
    outcome TEXT NOT NULL,
    minutes TEXT
);
CREATE TABLE rulings (
    docket TEXT PRIMARY KEY REFERENCES cases (docket),
    decided TEXT NOT NULL,
    disposition TEXT NOT NULL,
    award_cents INTEGER,
    summary TEXT
);
CREATE TABLE citations (
    docket TEXT NOT NULL REFERENCES rulings (docket),
    cited TEXT NOT NULL REFERENCES cases (docket),
    treatment TEXT NOT NULL,
    PRIMARY KEY (docket, cited)
);
CREATE TABLE fees (
    id INTEGER PRIMARY KEY,
    docket TEXT NOT NULL,
    party_id INTEGER NOT NULL REFERENCES parties (id),
    amount TEXT NOT NULL,
    paid TEXT
);
