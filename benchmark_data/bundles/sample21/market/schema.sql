CREATE TABLE category (
    code TEXT PRIMARY KEY,
    parent_code TEXT REFERENCES category (code),
    title TEXT NOT NULL
);
CREATE TABLE supplier (
    supplier_id INTEGER PRIMARY KEY,
    company TEXT NOT NULL,
    country TEXT NOT NULL,
    lead_days INTEGER
);
CREATE TABLE product (
    sku TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    category_code TEXT NOT NULL REFERENCES category (code),
    supplier_id INTEGER NOT NULL REFERENCES supplier (supplier_id),
    list_price TEXT NOT NULL,
    weight_g INTEGER,
    launched_on TEXT NOT NULL,
    state TEXT NOT NULL
);
CREATE TABLE product_tag (
    sku TEXT NOT NULL REFERENCES product (sku),
    tag TEXT NOT NULL,
    PRIMARY KEY (sku, tag)
);
CREATE TABLE shopper (
    shopper_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL,
    joined_on TEXT NOT NULL,
    country TEXT NOT NULL,
    newsletter TEXT
);
CREATE TABLE coupon (
    code TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    amount INTEGER NOT NULL,
    valid_from TEXT NOT NULL,
    valid_to TEXT
);
CREATE TABLE purchase (
    purchase_no INTEGER PRIMARY KEY,
    shopper_id INTEGER NOT NULL REFERENCES shopper (shopper_id),
    placed_at TEXT NOT NULL,
    channel TEXT NOT NULL,
    coupon_code TEXT REFERENCES coupon (code),
    shipping_fee TEXT NOT NULL,
    status TEXT NOT NULL
);
CREATE TABLE purchase_line (
    purchase_no INTEGER NOT NULL REFERENCES purchase (purchase_no),
    line_no INTEGER NOT NULL,
    sku TEXT NOT NULL REFERENCES product (sku),
    quantity INTEGER NOT NULL,
    unit_price TEXT NOT NULL,
    PRIMARY KEY (purchase_no, line_no)
);
CREATE TABLE return_slip (
    slip_no INTEGER PRIMARY KEY,
    purchase_no INTEGER NOT NULL,
    line_no INTEGER NOT NULL,
    returned_on TEXT NOT NULL,
    reason TEXT NOT NULL,
    refund_cents INTEGER,
    UNIQUE (purchase_no, line_no),
    FOREIGN KEY (purchase_no, line_no) REFERENCES purchase_line (purchase_no, line_no)
);
CREATE TABLE review (
    review_id INTEGER PRIMARY KEY,
    sku TEXT NOT NULL REFERENCES product (sku),
    shopper_id INTEGER NOT NULL REFERENCES shopper (shopper_id),
    stars INTEGER NOT NULL,
    headline TEXT,
    body TEXT,
    written_on TEXT NOT NULL,
    helpful INTEGER NOT NULL
);
