-- The kitchen of a catering house. The unit of a recipe's line points at unit.code; that link is not declared.
CREATE TABLE cook (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    post TEXT NOT NULL,
    hired TEXT NOT NULL,
    mentor_id INTEGER REFERENCES cook (id)
);

CREATE TABLE unit (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    measures TEXT NOT NULL,
    in_base INTEGER NOT NULL
);

CREATE TABLE supplier (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    town TEXT NOT NULL,
    email TEXT,
    minimum_cents INTEGER NOT NULL
);

CREATE TABLE ingredient (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    supplier_id INTEGER REFERENCES supplier (id),
    pack_grams INTEGER,
    pack_cents INTEGER NOT NULL,
    vegan INTEGER
);

CREATE TABLE nutrient (
    ingredient_code TEXT NOT NULL REFERENCES ingredient (code),
    name TEXT NOT NULL,
    per_100 REAL NOT NULL,
    PRIMARY KEY (ingredient_code, name)
);

CREATE TABLE recipe (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    course TEXT NOT NULL,
    portions INTEGER NOT NULL,
    active_minutes INTEGER NOT NULL,
    total_minutes INTEGER NOT NULL,
    cook_id INTEGER NOT NULL REFERENCES cook (id),
    created TEXT NOT NULL,
    note TEXT
);

CREATE TABLE recipe_ingredient (
    recipe_id INTEGER NOT NULL REFERENCES recipe (id),
    line INTEGER NOT NULL,
    ingredient_code TEXT NOT NULL REFERENCES ingredient (code),
    amount REAL,
    unit TEXT,
    prep TEXT,
    optional TEXT,
    PRIMARY KEY (recipe_id, line)
);

CREATE TABLE sub_recipe (
    recipe_id INTEGER NOT NULL REFERENCES recipe (id),
    part_id INTEGER NOT NULL REFERENCES recipe (id),
    factor REAL NOT NULL,
    PRIMARY KEY (recipe_id, part_id)
);

CREATE TABLE step (
    recipe_id INTEGER NOT NULL REFERENCES recipe (id),
    nr INTEGER NOT NULL,
    technique TEXT NOT NULL,
    minutes INTEGER,
    instruction TEXT NOT NULL,
    PRIMARY KEY (recipe_id, nr)
);

CREATE TABLE menu (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    occasion TEXT NOT NULL,
    served_on TEXT,
    guests INTEGER NOT NULL,
    price_cents INTEGER NOT NULL
);

CREATE TABLE menu_course (
    menu_id INTEGER NOT NULL REFERENCES menu (id),
    position INTEGER NOT NULL,
    recipe_id INTEGER NOT NULL REFERENCES recipe (id),
    portions INTEGER NOT NULL,
    PRIMARY KEY (menu_id, position)
);

CREATE TABLE delivery (
    id INTEGER PRIMARY KEY,
    ingredient_code TEXT NOT NULL REFERENCES ingredient (code),
    delivered TEXT NOT NULL,
    packs INTEGER NOT NULL,
    cost_cents INTEGER NOT NULL,
    complaint TEXT
);
