-- A letting agency. A property is a flat, a house or a shop; property_code in lease and repair holds the code of
-- one of the three, which no foreign key can say.
CREATE TABLE town (
    zip TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    region TEXT NOT NULL,
    rent_cap TEXT
);

CREATE TABLE owner (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    phone TEXT,
    email TEXT
);

CREATE TABLE flat (
    code TEXT PRIMARY KEY,
    owner_id INTEGER NOT NULL REFERENCES owner (id),
    zip TEXT NOT NULL REFERENCES town (zip),
    street TEXT NOT NULL,
    area_m2 INTEGER NOT NULL,
    rooms INTEGER NOT NULL,
    floor INTEGER NOT NULL,
    lift TEXT
);

CREATE TABLE house (
    code TEXT PRIMARY KEY,
    owner_id INTEGER NOT NULL REFERENCES owner (id),
    zip TEXT NOT NULL REFERENCES town (zip),
    street TEXT NOT NULL,
    area_m2 INTEGER NOT NULL,
    rooms INTEGER NOT NULL,
    plot_m2 INTEGER,
    heating TEXT NOT NULL
);

CREATE TABLE shop (
    code TEXT PRIMARY KEY,
    owner_id INTEGER NOT NULL REFERENCES owner (id),
    zip TEXT NOT NULL REFERENCES town (zip),
    street TEXT NOT NULL,
    area_m2 INTEGER NOT NULL,
    window_cm INTEGER,
    trade TEXT
);

CREATE TABLE tenant (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    born TEXT,
    email TEXT,
    guarantor_id INTEGER REFERENCES tenant (id)
);

CREATE TABLE lease (
    id INTEGER PRIMARY KEY,
    property_code TEXT NOT NULL,
    start_day TEXT NOT NULL,
    end_day TEXT,
    rent TEXT NOT NULL,
    deposit_cents INTEGER,
    notice_months INTEGER NOT NULL
);

CREATE TABLE lease_tenant (
    lease_id INTEGER NOT NULL REFERENCES lease (id),
    tenant_id INTEGER NOT NULL REFERENCES tenant (id),
    share INTEGER NOT NULL,
    PRIMARY KEY (lease_id, tenant_id)
);

CREATE TABLE payment (
    id INTEGER PRIMARY KEY,
    lease_id INTEGER NOT NULL REFERENCES lease (id),
    month TEXT NOT NULL,
    cents INTEGER NOT NULL,
    paid_on TEXT,
    method TEXT
);

CREATE TABLE contractor (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    trade TEXT NOT NULL,
    phone TEXT NOT NULL
);

CREATE TABLE repair (
    id INTEGER PRIMARY KEY,
    property_code TEXT NOT NULL,
    contractor_id INTEGER REFERENCES contractor (id),
    trade TEXT NOT NULL,
    reported TEXT NOT NULL,
    done TEXT,
    cost TEXT
);
