"""A case of two tables and the pairs of their rows."""

CASE = """\
# A pair leaves on both sides.
table l (id INT, k INT)
    (1, 10)
    (2, 20)

table r (id INT, k INT)
    (1, 10)
    (2, 20)

view pairs
    SELECT l.id, r.id AS r_id FROM l JOIN r ON l.k = r.k

step
    DELETE FROM l WHERE id = 1
    DELETE FROM r WHERE id = 1
"""
