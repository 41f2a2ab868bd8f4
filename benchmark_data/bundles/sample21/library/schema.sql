CREATE TABLE branches (
    branch_id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    district TEXT NOT NULL,
    opened TEXT,
    main_branch INTEGER REFERENCES branches (branch_id)
);
CREATE TABLE opening_hours (
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id),
    weekday TEXT NOT NULL,
    opens TEXT NOT NULL,
    closes TEXT NOT NULL,
    PRIMARY KEY (branch_id, weekday)
);
CREATE TABLE authors (
    author_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    born INTEGER,
    country TEXT
);
CREATE TABLE titles (
    title_id INTEGER PRIMARY KEY,
    isbn TEXT,
    name TEXT NOT NULL,
    year INTEGER NOT NULL,
    language TEXT NOT NULL,
    genre TEXT NOT NULL,
    audience TEXT NOT NULL,
    pages INTEGER
);
CREATE TABLE title_authors (
    title_id INTEGER NOT NULL REFERENCES titles (title_id),
    author_id INTEGER NOT NULL REFERENCES authors (author_id),
    place INTEGER NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (title_id, author_id)
);
CREATE TABLE copies (
    copy_id TEXT PRIMARY KEY,
    title_id INTEGER REFERENCES titles (title_id),
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id),
    acquired TEXT NOT NULL,
    state TEXT NOT NULL,
    price_cents INTEGER,
    withdrawn TEXT
);
CREATE TABLE members (
    member_id INTEGER PRIMARY KEY,
    card TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    email TEXT,
    kind TEXT NOT NULL,
    joined TEXT NOT NULL,
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id)
);
CREATE TABLE loans (
    loan_id INTEGER PRIMARY KEY,
    copy_id TEXT NOT NULL REFERENCES copies (copy_id),
    member_id INTEGER NOT NULL REFERENCES members (member_id),
    lent TEXT NOT NULL,
    due TEXT NOT NULL,
    returned TEXT,
    renewals INTEGER NOT NULL
);
CREATE TABLE fines (
    loan_id INTEGER PRIMARY KEY REFERENCES loans (loan_id),
    amount TEXT NOT NULL,
    paid TEXT NOT NULL,
    waived TEXT
);
CREATE TABLE holds (
    hold_id INTEGER PRIMARY KEY,
    title_id INTEGER NOT NULL REFERENCES titles (title_id),
    member_id INTEGER NOT NULL REFERENCES members (member_id),
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id),
    placed TEXT NOT NULL,
    status TEXT NOT NULL
);
