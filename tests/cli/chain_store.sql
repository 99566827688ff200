-- Eighteen relations, most of them twice, grouped; and the whole of it twice, a year against the next.
WITH sold AS (
  SELECT online.item_id, SUM(online.price) AS sale, SUM(online_refund.amount) AS refunded
  FROM online JOIN online_refund ON online.item_id = online_refund.item_id AND online.number = online_refund.number
  GROUP BY online.item_id HAVING SUM(online.price) > 2 * SUM(online_refund.amount)
), crossed AS (
  SELECT i.name, i.item_id, s.shop_name, s.zip AS shop_zip, a1.street AS street_1, a1.city AS city_1, a2.street AS street_2,
    d1.year AS year_1, d2.year AS year_2, d3.year AS year_3, COUNT(*) AS n, SUM(v.price) AS total, SUM(v.cost) AS costs
  FROM visit v JOIN refund r ON v.item_id = r.item_id AND v.ticket = r.ticket JOIN sold ON v.item_id = sold.item_id
    JOIN day d1 ON v.day_id = d1.day_id JOIN shop s ON v.shop_id = s.shop_id JOIN person p ON v.person_id = p.person_id
    JOIN day d2 ON p.first_day = d2.day_id JOIN day d3 ON p.first_visit = d3.day_id
    JOIN trait t1 ON v.trait_id = t1.trait_id JOIN trait t2 ON p.trait_id = t2.trait_id
    JOIN offer o ON v.offer_id = o.offer_id JOIN house h1 ON v.house_id = h1.house_id JOIN house h2 ON p.house_id = h2.house_id
    JOIN home a1 ON v.home_id = a1.home_id JOIN home a2 ON p.home_id = a2.home_id
    JOIN band b1 ON h1.band_id = b1.band_id JOIN band b2 ON h2.band_id = b2.band_id JOIN item i ON v.item_id = i.item_id
  WHERE t1.status <> t2.status AND i.price BETWEEN 1 AND 70
  GROUP BY i.name, i.item_id, s.shop_name, s.zip, a1.street, a1.city, a2.street, d1.year, d2.year, d3.year
)
SELECT c1.name, c1.shop_name, c1.shop_zip, c1.street_1, c1.city_1, c1.street_2, c1.year_1, c1.n, c1.total, c1.costs,
  c2.total AS total_2, c2.costs AS costs_2, c2.year_1 AS next_year, c2.n AS n_2
FROM crossed c1 JOIN crossed c2 ON c1.item_id = c2.item_id AND c1.shop_name = c2.shop_name AND c1.shop_zip = c2.shop_zip
WHERE c1.year_1 = 2 AND c2.year_1 = 3 AND c2.n <= c1.n
