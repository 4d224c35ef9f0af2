CREATE TABLE products (name TEXT PRIMARY KEY, stock INTEGER NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    product TEXT NOT NULL REFERENCES products,
    quantity INTEGER NOT NULL,
    email TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open'
);
CREATE TABLE receipts (order_id INTEGER NOT NULL, email TEXT NOT NULL);
INSERT INTO products VALUES
    ('Mug', 10), ('Bowl', 4), ('Plate', 8), ('Cup', 9), ('Jug', 2), ('Tray', 3),
    ('Dish', 7), ('Vase', 1), ('Pot', 6), ('Pan', 5), ('Fork', 40), ('Spoon', 30);
INSERT INTO orders (product, quantity, email) VALUES ('Mug', 2, 'lee@example.test'), ('Bowl', 1, 'pat@example.test');
