CREATE TABLE accounts (
    number TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    parent_number TEXT REFERENCES accounts (number),
    closed TEXT NOT NULL
);
CREATE TABLE budgets (
    account_number TEXT NOT NULL REFERENCES accounts (number),
    year INTEGER NOT NULL,
    amount_cents INTEGER,
    PRIMARY KEY (account_number, year)
);
CREATE TABLE tax_codes (
    code TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    rate_permille INTEGER NOT NULL
);
CREATE TABLE journals (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL
);
CREATE TABLE cost_centres (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL
);
CREATE TABLE persons (
    id TEXT PRIMARY KEY,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    city TEXT,
    iban TEXT
);
CREATE TABLE companies (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    vat_number TEXT,
    credit_limit_cents INTEGER
);
CREATE TABLE authorities (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    level TEXT NOT NULL
);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    journal_code TEXT NOT NULL REFERENCES journals (code),
    document TEXT NOT NULL,
    posted TEXT,
    memo TEXT,
    party_id TEXT,
    reverses INTEGER REFERENCES entries (id)
);
CREATE TABLE postings (
    id INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL REFERENCES entries (id),
    account_number TEXT NOT NULL REFERENCES accounts (number),
    side TEXT NOT NULL,
    amount_cents INTEGER NOT NULL,
    tax_code TEXT REFERENCES tax_codes (code),
    cost_centre TEXT REFERENCES cost_centres (code)
);
CREATE TABLE statements (
    id INTEGER PRIMARY KEY,
    booked TEXT NOT NULL,
    amount TEXT NOT NULL,
    purpose TEXT,
    entry_id INTEGER
);
