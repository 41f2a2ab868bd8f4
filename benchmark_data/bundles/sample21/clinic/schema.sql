CREATE TABLE clinician (
    clinician_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    speciality TEXT NOT NULL,
    supervisor_id INTEGER REFERENCES clinician (clinician_id)
);
CREATE TABLE patient (
    patient_no TEXT PRIMARY KEY,
    full_name TEXT NOT NULL,
    born TEXT,
    sex TEXT,
    postcode TEXT NOT NULL,
    family_doctor INTEGER REFERENCES clinician (clinician_id)
);
CREATE TABLE contact_person (
    patient_no TEXT PRIMARY KEY REFERENCES patient (patient_no),
    full_name TEXT NOT NULL,
    relation TEXT NOT NULL,
    phone TEXT
);
CREATE TABLE allergy (
    patient_no TEXT NOT NULL REFERENCES patient (patient_no),
    substance TEXT NOT NULL,
    severity INTEGER NOT NULL,
    PRIMARY KEY (patient_no, substance)
);
CREATE TABLE diagnosis (
    code TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    chapter TEXT NOT NULL
);
CREATE TABLE drug (
    drug_code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    family TEXT NOT NULL
);
CREATE TABLE lab_test (
    test_code TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    unit TEXT
);
CREATE TABLE test_range (
    test_code TEXT NOT NULL REFERENCES lab_test (test_code),
    sex TEXT NOT NULL,
    low REAL,
    high REAL,
    PRIMARY KEY (test_code, sex)
);
CREATE TABLE visit (
    visit_id INTEGER PRIMARY KEY,
    patient_no TEXT NOT NULL REFERENCES patient (patient_no),
    clinician_id INTEGER NOT NULL REFERENCES clinician (clinician_id),
    started_at TEXT NOT NULL,
    kind TEXT NOT NULL,
    minutes INTEGER,
    outcome TEXT
);
CREATE TABLE visit_diagnosis (
    visit_id INTEGER NOT NULL REFERENCES visit (visit_id),
    code TEXT NOT NULL REFERENCES diagnosis (code),
    is_primary INTEGER NOT NULL,
    PRIMARY KEY (visit_id, code)
);
CREATE TABLE prescription (
    visit_id INTEGER NOT NULL REFERENCES visit (visit_id),
    line_no INTEGER NOT NULL,
    drug_code TEXT NOT NULL REFERENCES drug (drug_code),
    dose_mg REAL NOT NULL,
    days INTEGER,
    PRIMARY KEY (visit_id, line_no)
);
CREATE TABLE lab_result (
    result_id INTEGER PRIMARY KEY,
    patient_no TEXT NOT NULL REFERENCES patient (patient_no),
    test_code TEXT NOT NULL REFERENCES lab_test (test_code),
    taken_on TEXT NOT NULL,
    value TEXT NOT NULL,
    flag TEXT
);
