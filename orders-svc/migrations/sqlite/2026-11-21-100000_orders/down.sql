DROP TABLE ordering;
DROP TABLE orders;
