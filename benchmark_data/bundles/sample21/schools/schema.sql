CREATE TABLE districts (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    budget_cents INTEGER
);
CREATE TABLE schools (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    level TEXT NOT NULL,
    district_code TEXT NOT NULL REFERENCES districts (code),
    founded INTEGER,
    meal_share TEXT,
    head_id INTEGER
);
CREATE TABLE addresses (
    school_code TEXT PRIMARY KEY REFERENCES schools (code),
    street TEXT NOT NULL,
    zip TEXT NOT NULL,
    city TEXT NOT NULL,
    phone TEXT
);
CREATE TABLE inspections (
    id INTEGER PRIMARY KEY,
    school_code TEXT NOT NULL REFERENCES schools (code),
    held TEXT NOT NULL,
    grade TEXT NOT NULL,
    remark TEXT
);
CREATE TABLE subjects (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL
);
CREATE TABLE teachers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    school_code TEXT NOT NULL REFERENCES schools (code),
    hired TEXT NOT NULL,
    degree TEXT
);
CREATE TABLE classes (
    id INTEGER PRIMARY KEY,
    school_code TEXT NOT NULL REFERENCES schools (code),
    grade INTEGER NOT NULL,
    section TEXT NOT NULL,
    tutor_id INTEGER REFERENCES teachers (id)
);
CREATE TABLE lessons (
    class_id INTEGER NOT NULL REFERENCES classes (id),
    subject_code TEXT NOT NULL REFERENCES subjects (code),
    teacher_id INTEGER NOT NULL REFERENCES teachers (id),
    hours INTEGER NOT NULL,
    PRIMARY KEY (class_id, subject_code)
);
CREATE TABLE pupils (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    class_id INTEGER NOT NULL REFERENCES classes (id),
    sex TEXT,
    born TEXT NOT NULL,
    free_meals TEXT NOT NULL
);
CREATE TABLE results (
    pupil_id INTEGER NOT NULL REFERENCES pupils (id),
    subject_code TEXT NOT NULL REFERENCES subjects (code),
    term INTEGER NOT NULL,
    score INTEGER,
    PRIMARY KEY (pupil_id, subject_code, term)
);
CREATE TABLE attendance (
    class_id INTEGER NOT NULL REFERENCES classes (id),
    day TEXT NOT NULL,
    present INTEGER NOT NULL,
    absent INTEGER NOT NULL,
    PRIMARY KEY (class_id, day)
);
