CREATE TABLE gallery (
    gallery_no TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    floor INTEGER NOT NULL,
    climate TEXT NOT NULL
);
CREATE TABLE artist (
    artist_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    born TEXT,
    died TEXT,
    country TEXT,
    teacher_id INTEGER REFERENCES artist (artist_id)
);
CREATE TABLE painting (
    inventory_no TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    made TEXT,
    gallery_no TEXT REFERENCES gallery (gallery_no),
    acquired_on TEXT,
    acquired_how TEXT NOT NULL,
    medium TEXT NOT NULL,
    support TEXT NOT NULL,
    width_mm INTEGER NOT NULL,
    height_mm INTEGER NOT NULL,
    framed TEXT NOT NULL
);
CREATE TABLE sculpture (
    inventory_no TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    made TEXT,
    gallery_no TEXT REFERENCES gallery (gallery_no),
    acquired_on TEXT,
    acquired_how TEXT NOT NULL,
    height_mm INTEGER NOT NULL,
    weight_kg REAL,
    edition TEXT
);
CREATE TABLE sculpture_material (
    inventory_no TEXT NOT NULL REFERENCES sculpture (inventory_no),
    material TEXT NOT NULL,
    PRIMARY KEY (inventory_no, material)
);
CREATE TABLE coin (
    inventory_no TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    made TEXT,
    gallery_no TEXT REFERENCES gallery (gallery_no),
    acquired_on TEXT,
    acquired_how TEXT NOT NULL,
    metal TEXT NOT NULL,
    mint TEXT,
    weight_mg INTEGER,
    diameter_mm REAL NOT NULL
);
CREATE TABLE authorship (
    artist_id INTEGER NOT NULL REFERENCES artist (artist_id),
    inventory_no TEXT NOT NULL,
    part TEXT NOT NULL,
    PRIMARY KEY (artist_id, inventory_no)
);
CREATE TABLE borrower (
    borrower_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    town TEXT NOT NULL,
    country TEXT NOT NULL
);
CREATE TABLE loan (
    loan_no INTEGER PRIMARY KEY,
    borrower_id INTEGER NOT NULL REFERENCES borrower (borrower_id),
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    state TEXT NOT NULL
);
CREATE TABLE loan_object (
    loan_no INTEGER NOT NULL REFERENCES loan (loan_no),
    inventory_no TEXT NOT NULL,
    insured_cents INTEGER,
    PRIMARY KEY (loan_no, inventory_no)
);
CREATE TABLE conservator (
    conservator_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    field TEXT NOT NULL
);
CREATE TABLE treatment (
    treatment_id INTEGER PRIMARY KEY,
    inventory_no TEXT NOT NULL,
    conservator_id INTEGER NOT NULL REFERENCES conservator (conservator_id),
    method TEXT NOT NULL,
    started_on TEXT NOT NULL,
    finished_on TEXT,
    cost_cents INTEGER NOT NULL
);
