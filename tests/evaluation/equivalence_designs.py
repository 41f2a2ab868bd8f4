"""A made-up database whose docmap uses every placement, with SQL that reads each of them."""

SOURCE = """
CREATE TABLE town (id INTEGER PRIMARY KEY, town_name TEXT, mayor TEXT);
CREATE TABLE maker (
    id INTEGER PRIMARY KEY, name TEXT, town_id INTEGER REFERENCES town (id), active TEXT, founded DATE, grade TEXT,
    staff INTEGER, opened TEXT
);
CREATE TABLE licence (maker_id INTEGER PRIMARY KEY REFERENCES maker (id), number TEXT, fee REAL, "$f.e %" TEXT);
CREATE TABLE paint (id INTEGER PRIMARY KEY, paint_name TEXT);
CREATE TABLE toy (
    id INTEGER PRIMARY KEY, maker_id INTEGER REFERENCES maker (id), label TEXT, price REAL,
    paint_id INTEGER REFERENCES paint (id)
);
CREATE TABLE part (id INTEGER PRIMARY KEY, toy_id INTEGER REFERENCES toy (id), weight REAL, made DATE);
CREATE TABLE price (toy_label TEXT, year INTEGER, amount REAL, maker_id INTEGER REFERENCES maker (id));
CREATE TABLE skill (code TEXT PRIMARY KEY, title TEXT);
CREATE TABLE maker_skill (maker_id INTEGER REFERENCES maker (id), code TEXT REFERENCES skill (code), level INTEGER);
CREATE TABLE reading (sensor TEXT, at TEXT, heat REAL);
CREATE TABLE cat (id INTEGER PRIMARY KEY, name TEXT, lives INTEGER);
CREATE TABLE dog (id INTEGER PRIMARY KEY, name TEXT, bark TEXT);
INSERT INTO town VALUES (1, 'Ulm', 'Ada'), (2, 'Bern', NULL), (3, NULL, 'Eve');
INSERT INTO maker VALUES
    (1, 'Ant', 1, 'yes', '2001-02-03', 'A', 5, '2001-02-03'), (2, 'Bee', 2, 'no', '1999-12-31', 'B', NULL, 'spring'),
    (3, 'Cow', 99, 'maybe', NULL, 'Z', 7, NULL), (4, 'Dog', NULL, NULL, '2001-11-30', NULL, 5, '2010-10-10'),
    (5, NULL, 3, 'yes', '2002-01-01', 'A', 0, '1999-01-01');
INSERT INTO licence VALUES (1, 'L1', 2.5, 'x'), (2, NULL, 3.5, NULL), (77, 'L77', 9.0, 'y');
INSERT INTO paint VALUES (1, 'red'), (2, 'blue'), (3, 'unused');
INSERT INTO toy VALUES
    (10, 1, 'car', 2.0, 1), (11, 1, 'bus', 3.0, 2), (12, 2, 'car', 4.5, 1), (13, NULL, 'kite', 1.0, NULL),
    (14, 88, 'top', 6.0, 2), (15, 5, NULL, NULL, 1);
INSERT INTO part VALUES
    (100, 10, 0.5, '2014-07-01'), (101, 10, 1.5, '2014-08-02'), (102, 12, 2.5, '2014-07-31'),
    (103, 13, 3.5, NULL), (104, NULL, 4.5, '2015-07-01'), (105, 14, NULL, '2014-07-15');
INSERT INTO price VALUES ('car', 2001, 1.5, 1), ('bus', 2002, 2.5, 1), ('car', 2001, 3.5, 2), ('top', 2005, 4.5, NULL);
INSERT INTO skill VALUES ('s', 'sewing'), ('w', NULL), ('g', 'glue');
INSERT INTO maker_skill VALUES (1, 's', 3), (1, 'w', 2), (2, 's', 5), (2, 'x', 1), (NULL, 'g', 4), (5, 'g', NULL);
INSERT INTO reading VALUES
    ('a', '10:00', 1.5), ('a', '10:05', 2.5), ('b', '10:00', 3.5), ('a', '10:10', NULL), ('b', '10:20', 4.5);
INSERT INTO cat VALUES (1, 'Tom', 9), (2, 'Kit', NULL);
INSERT INTO dog VALUES (1, 'Rex', 'loud'), (2, 'Tom', 'low');
"""

DOCMAP = """
docmap: 1
source: {db_id: toys, dialect: sqlite}
collections:
  makers:
    table: maker
    _id: id
    fields:
      name: name
      town: {reference: {column: town_id, to: towns, extended: {label: town_name}}}
      active: {column: active, decode: {"yes": true, "no": false}, on_fail: keep}
      founded: {column: founded, type: date}
      grade: {column: grade, decode: {"A": 1, "B": 2}, on_fail: quarantine}
      staff: {column: staff, type: string, stored: integer, null: omit}
      opened: {column: opened, type: date, on_fail: keep}
      licence:
        embed_one:
          via: licence.maker_id
          role: home
          fields: {number: number, fee: fee, odd: "$f.e %"}
          orphans: {collection: licences_of_nobody}
      toys:
        embed_many:
          via: toy.maker_id
          role: home
          order_by: [id]
          fields:
            id: id
            label: label
            price: price
            paint: {embed_one: {via: toy.paint_id, role: home, fields: {_id: id, name: paint_name},
                    orphans: {collection: paints_of_nothing}}}
            parts:
              embed_many:
                via: part.toy_id
                role: home
                order_by: [id]
                fields: {id: id, weight: weight, made: {column: made, type: date}}
                orphans: {collection: parts_of_nothing}
          orphans: {collection: toys_of_nobody}
      prices:
        embed_many:
          via: price.maker_id
          role: home
          key_by: price.year
          fields: {label: toy_label, amount: amount}
          orphans: {collection: prices_of_nobody}
      skills:
        embed_many:
          via: maker_skill.maker_id
          through: maker_skill.code
          role: home
          order_by: [code]
          fields: {code: code, title: title}
          payload: {level: level, skill: code}
          orphans: {collection: skills_of_nobody}
      partners: {embed_many: {via: toy.maker_id, order_by: [id], scalar: toy.label}}
      toyCount: {computed: {via: toy.maker_id, op: count}}
      toyValue: {computed: {via: toy.maker_id, op: sum, expr: price}}
      best: {computed: {via: toy.maker_id, op: max, expr: price}}
      meanPrice: {computed: {via: toy.maker_id, op: avg, expr: price, round: 1}}
      weight: {computed: {via: [toy.maker_id, part.toy_id], op: sum, expr: weight}}
      partCount: {computed: {via: [toy.maker_id, part.toy_id], op: count}}
  towns: {table: town, _id: id, fields: {name: town_name, mayor: mayor}}
  skills: {table: skill, _id: code, fields: {title: title}}
  readings:
    table: reading
    bucket: {by: {sensor: sensor}, size: 2, items: values, order_by: [at]}
    fields: {at: at, heat: heat}
  pets:
    discriminator: kind
    variants:
      cat: {table: cat, _id: {columns: {id: id, name: name}}, fields: {lives: lives}}
      dog: {table: dog, _id: id, fields: {name: name, bark: bark}}
"""

QUERIES = {
    "documents": "SELECT id, name FROM maker",
    "extended reference": "SELECT m.name, t.town_name FROM maker m JOIN town t ON t.id = m.town_id",
    "extended reference filtered": "SELECT m.id FROM maker m JOIN town t ON t.id = m.town_id WHERE t.town_name = 'Ulm'",
    "extended reference absent": "SELECT m.id FROM maker m JOIN town t ON t.id = m.town_id WHERE t.town_name IS NULL",
    "reference looked up": "SELECT m.name, t.mayor FROM maker m JOIN town t ON t.id = m.town_id",
    "left join with a reference": "SELECT m.id, t.town_name FROM maker m LEFT JOIN town t ON t.id = m.town_id",
    "decoded and kept": "SELECT id, active FROM maker",
    "decoded and compared": "SELECT id FROM maker WHERE active = 'yes'",
    "kept and compared": "SELECT id FROM maker WHERE active = 'maybe'",
    "decoded and compared for difference": "SELECT id FROM maker WHERE active <> 'yes'",
    "quarantined": "SELECT id, grade FROM maker",
    "quarantined and compared": "SELECT id FROM maker WHERE grade = 'Z'",
    "quarantined and compared for difference": "SELECT id FROM maker WHERE grade <> 'A'",
    "quarantined and absent": "SELECT id FROM maker WHERE grade IS NULL",
    "stored as text": "SELECT SUM(staff), MAX(staff) FROM maker WHERE staff > 4",
    "date kept as text": "SELECT id, opened FROM maker WHERE opened > '2000'",
    "date kept as text and compared": "SELECT id FROM maker WHERE opened >= '2001-02-03'",
    "year of a date": "SELECT id FROM maker WHERE STRFTIME('%Y', founded) = '2001'",
    "month of a date": "SELECT id FROM maker WHERE STRFTIME('%Y-%m', founded) <= '2001-02'",
    "years of a date": "SELECT id FROM maker WHERE STRFTIME('%Y', founded) BETWEEN '2000' AND '2001'",
    "day of a date": "SELECT id FROM maker WHERE DATE(founded) = '1999-12-31'",
    "head of a date": "SELECT id FROM maker WHERE SUBSTR(founded, 1, 4) > '2000'",
    "date like a head": "SELECT id FROM maker WHERE founded LIKE '2001-%'",
    "date like a day": "SELECT id FROM maker WHERE founded LIKE '2001-02-03%'",
    "date unlike a head": "SELECT id FROM maker WHERE founded NOT LIKE '2001%'",
    "embedded array": "SELECT id, label, maker_id FROM toy",
    "embedded array counted": "SELECT COUNT(*), SUM(price) FROM toy",
    "array and holder": "SELECT m.name, t.label FROM maker m JOIN toy t ON t.maker_id = m.id WHERE t.price > 2",
    "holder of an array": "SELECT t.label, m.name FROM toy t JOIN maker m ON m.id = t.maker_id",
    "left join with an array": "SELECT m.id, t.label FROM maker m LEFT JOIN toy t ON t.maker_id = m.id",
    "array in an array": "SELECT id, weight, toy_id FROM part",
    "array in an array and its holders": (
        "SELECT m.name, p.id FROM maker m JOIN toy t ON t.maker_id = m.id JOIN part p ON p.toy_id = t.id"
    ),
    "array in an array and the nearest holder": "SELECT t.label, p.id FROM part p JOIN toy t ON t.id = p.toy_id",
    "filter in an inner array": (
        "SELECT m.name FROM part p JOIN toy t ON t.id = p.toy_id JOIN maker m ON m.id = t.maker_id "
        "WHERE STRFTIME('%Y-%m', p.made) = '2014-07'"
    ),
    "repeated home": "SELECT id, paint_name FROM paint",
    "repeated home counted": "SELECT COUNT(*) FROM paint",
    "repeated home beside its key": "SELECT t.label, p.paint_name FROM toy t JOIN paint p ON p.id = t.paint_id",
    "object below": "SELECT maker_id, number FROM licence",
    "odd name": 'SELECT "$f.e %", maker_id FROM licence',
    "odd name joined": 'SELECT m.name, l."$f.e %" FROM maker m LEFT JOIN licence l ON l.maker_id = m.id',
    "object below and its holder": "SELECT m.name, l.fee FROM maker m JOIN licence l ON l.maker_id = m.id",
    "object below filtered": "SELECT m.name FROM maker m JOIN licence l ON l.maker_id = m.id WHERE l.number IS NULL",
    "map": "SELECT year, amount, maker_id FROM price",
    "map and its holder": "SELECT m.name, p.amount FROM maker m JOIN price p ON p.maker_id = m.id WHERE p.year = 2001",
    "map summed by key": "SELECT year, SUM(amount) FROM price GROUP BY year",
    "junction": "SELECT maker_id, code, level FROM maker_skill",
    "junction and its other side": (
        "SELECT s.level, k.title FROM maker_skill s JOIN skill k ON k.code = s.code JOIN maker m ON m.id = s.maker_id"
    ),
    "junction and its other side alone": "SELECT s.level, k.title FROM maker_skill s JOIN skill k ON k.code = s.code",
    "bucket": "SELECT sensor, at, heat FROM reading",
    "bucket filtered": "SELECT at FROM reading WHERE sensor = 'a' AND heat > 2",
    "bucket grouped": "SELECT sensor, AVG(heat), COUNT(*) FROM reading GROUP BY sensor",
    "variants": "SELECT name, lives FROM cat",
    "variants joined": "SELECT c.lives, d.bark FROM cat c JOIN dog d ON d.name = c.name",
    "variants united": "SELECT name FROM cat UNION ALL SELECT name FROM dog",
    "variant in a sub-query": "SELECT name FROM dog WHERE name IN (SELECT name FROM cat)",
    "array in a sub-query": "SELECT id FROM maker WHERE id IN (SELECT maker_id FROM toy WHERE price > 2)",
    "array in a sub-query of the row": "SELECT id, (SELECT COUNT(*) FROM toy t WHERE t.maker_id = m.id) FROM maker m",
    "not in an array": "SELECT id FROM maker m WHERE NOT EXISTS (SELECT 1 FROM toy t WHERE t.maker_id = m.id)",
    "element with conditions": (
        "SELECT id FROM maker m WHERE EXISTS (SELECT * FROM toy t WHERE t.maker_id = m.id AND t.price > 2 "
        "AND t.label = 'bus')"
    ),
    "no element with a condition": (
        "SELECT id FROM maker m WHERE NOT EXISTS (SELECT 1 FROM toy t WHERE t.maker_id = m.id AND t.price > 2)"
    ),
    "element and what stands behind it": (
        "SELECT id FROM maker m WHERE EXISTS (SELECT 1 FROM maker_skill s JOIN skill k ON k.code = s.code "
        "WHERE s.maker_id = m.id AND k.title = 'sewing' AND s.level > 3)"
    ),
    "element of one kind or another": (
        "SELECT id FROM maker m WHERE m.name = 'Cow' OR "
        "EXISTS (SELECT 1 FROM toy t WHERE t.maker_id = m.id AND t.label = 'car')"
    ),
    "reference that is there": (
        "SELECT id FROM maker m WHERE EXISTS (SELECT 1 FROM town t WHERE t.id = m.town_id AND t.town_name = 'Bern')"
    ),
    "reference that is not there": (
        "SELECT id FROM maker m WHERE NOT EXISTS (SELECT 1 FROM town t WHERE t.id = m.town_id)"
    ),
    "object that is there": ("SELECT id FROM maker WHERE id IN (SELECT maker_id FROM licence WHERE fee > 2)"),
    "array twice": (
        "SELECT m.name, a.label, b.label FROM maker m JOIN toy a ON a.maker_id = m.id AND a.price > 2 "
        "JOIN toy b ON b.maker_id = m.id AND b.id < a.id"
    ),
    "array twice from an element": (
        "SELECT a.id, b.price FROM toy a JOIN maker m ON m.id = a.maker_id JOIN toy b ON b.maker_id = m.id"
    ),
    "array three times": (
        "SELECT COUNT(*) FROM maker m JOIN toy a ON a.maker_id = m.id JOIN toy b ON b.maker_id = m.id "
        "JOIN toy c ON c.maker_id = m.id"
    ),
    "array in an array twice": (
        "SELECT t.id, p.weight, q.made FROM maker m JOIN toy t ON t.maker_id = m.id JOIN part p ON p.toy_id = t.id "
        "JOIN part q ON q.toy_id = t.id WHERE p.id <= q.id"
    ),
    "array of copies beside its array": (
        "SELECT t.id, p.paint_name, u.id FROM maker m JOIN toy t ON t.maker_id = m.id "
        "JOIN paint p ON p.id = t.paint_id JOIN toy u ON u.maker_id = m.id"
    ),
    "map twice": (
        "SELECT m.id, p.amount, q.amount FROM maker m JOIN price p ON p.maker_id = m.id AND p.year = 2001 "
        "JOIN price q ON q.maker_id = m.id AND q.year > 2001"
    ),
    "junction twice": (
        "SELECT m.id FROM maker m JOIN maker_skill a ON a.maker_id = m.id AND a.code = 's' "
        "JOIN maker_skill b ON b.maker_id = m.id AND b.code = 'w'"
    ),
    "element of an array taken apart": (
        "SELECT m.id, a.label FROM maker m JOIN toy a ON a.maker_id = m.id "
        "WHERE EXISTS (SELECT 1 FROM toy b WHERE b.maker_id = m.id AND b.price > a.price)"
    ),
    "another element of an array taken apart": (
        "SELECT m.id, a.label FROM maker m JOIN toy a ON a.maker_id = m.id "
        "WHERE EXISTS (SELECT 1 FROM toy b WHERE b.maker_id = m.id AND b.label = 'bus')"
    ),
    "day of a date kept as text": "SELECT id FROM maker WHERE DATE(opened) IS opened AND opened IS NOT NULL",
    "year of a date kept as text": "SELECT id, STRFTIME('%Y', opened) FROM maker",
    "group below": "SELECT m.name, COUNT(*) FROM maker m JOIN toy t ON t.maker_id = m.id GROUP BY m.id",
    "sum below": "SELECT m.id, SUM(t.price), MAX(t.price) FROM maker m JOIN toy t ON t.maker_id = m.id GROUP BY m.id",
    "rounded mean below": (
        "SELECT m.id, ROUND(AVG(t.price), 1) FROM maker m JOIN toy t ON t.maker_id = m.id GROUP BY m.id"
    ),
    "mean below": "SELECT m.id, AVG(t.price) FROM maker m JOIN toy t ON t.maker_id = m.id GROUP BY m.id",
    "sum of all below": "SELECT SUM(t.price) FROM maker m JOIN toy t ON t.maker_id = m.id WHERE m.staff = 5",
    "count of none below": "SELECT COUNT(*) FROM maker m JOIN toy t ON t.maker_id = m.id WHERE m.name = 'none'",
    "sum far below": (
        "SELECT m.name, SUM(p.weight) FROM maker m JOIN toy t ON t.maker_id = m.id JOIN part p ON p.toy_id = t.id "
        "GROUP BY m.id ORDER BY SUM(p.weight) DESC"
    ),
    "group by the key below": "SELECT maker_id, COUNT(*) FROM toy WHERE maker_id IS NOT NULL GROUP BY maker_id",
    "most below": (
        "SELECT m.name FROM maker m JOIN toy t ON t.maker_id = m.id GROUP BY m.id HAVING COUNT(*) > 1 "
        "ORDER BY COUNT(t.id) DESC LIMIT 1"
    ),
    "group of a group": (
        "SELECT n.town_name, COUNT(*) FROM toy t JOIN maker m ON m.id = t.maker_id JOIN town n ON n.id = m.town_id "
        "GROUP BY n.town_name"
    ),
    "sum of cases below": (
        "SELECT SUM(CASE WHEN m.name = 'Ant' THEN t.price ELSE 0 END) * 100 / SUM(t.price) "
        "FROM maker m JOIN toy t ON t.maker_id = m.id"
    ),
}

PRECOMPUTED = frozenset({
    "group below", "sum below", "rounded mean below", "sum of all below", "sum far below", "most below",
    "group of a group", "sum of cases below", "count of none below",
})  # fmt: skip
"""Questions that read a computed field in the end."""
