--# Questions whose exact answers may move by what the noise is made for, and no more, when one unit comes or goes
--# (tests/curator/test_sensitivity.c). "bounded": at least one column is one measure, with noise of a stated scale.
--# "answered": none is; the answer's keys and number of rows are compared alone.

-- Rows
SELECT count(*) FROM visits
--> bounded

-- Rows by a public key
SELECT clinic_id, count(*) FROM visits GROUP BY clinic_id
--> bounded

-- People by a public key
SELECT clinic_id, count(DISTINCT patient_id) FROM visits GROUP BY clinic_id
--> bounded

-- A sum, reals
SELECT sum(cost) FROM visits
--> bounded

-- A sum of what lies around zero
SELECT sum(balance), sum(cost - 2500) FROM visits JOIN patients USING (patient_id)
--> bounded

-- A sum, with a range of the analyst's
SELECT sum(tip) FROM visits WHERE tip BETWEEN 0 AND 10
--> bounded

-- A sum whose range has been narrowed by a condition
SELECT clinic_id, sum(cost) FROM visits WHERE cost <= 100 GROUP BY clinic_id
--> bounded

-- A narrowed range that a later join must not widen again
SELECT sum(a.cost) FROM (SELECT patient_id, cost FROM visits WHERE cost < 10) a JOIN visits b USING (patient_id)
--> bounded

-- A product
SELECT sum(cost * tip) FROM visits WHERE tip >= 0 AND tip <= 10
--> bounded

-- Hidden keys
SELECT kind, count(*), sum(cost) FROM visits GROUP BY kind
--> bounded

-- Hidden keys of people
SELECT disease, count(*) FROM patients GROUP BY disease
--> bounded

-- Hidden keys with a key that is public
SELECT kind, clinic_id, count(*) FROM visits GROUP BY kind, clinic_id
--> bounded

-- Rows times a public table
SELECT name, count(*) FROM visits CROSS JOIN clinics GROUP BY name
--> bounded

-- People times a public table
SELECT city, count(*), sum(age) FROM patients CROSS JOIN clinics GROUP BY city
--> bounded

-- People times a public table, without keys
SELECT count(*), sum(age) FROM patients CROSS JOIN clinics
--> bounded

-- Rows joined with themselves
SELECT count(*), sum(a.cost) FROM visits a JOIN visits b USING (patient_id)
--> bounded

-- People twice
SELECT region, count(*) FROM (SELECT * FROM patients UNION ALL SELECT * FROM patients) p GROUP BY region
--> bounded

-- Two tables as one
SELECT count(*), sum(x) FROM (SELECT patient_id, cost AS x FROM visits UNION ALL SELECT patient_id, salary FROM patients) t
--> bounded

-- A unit's own total
SELECT sum(total) FROM (SELECT patient_id, sum(cost) AS total FROM visits GROUP BY patient_id) t
--> bounded

-- A unit's own number of rows, as a key
SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) t GROUP BY n
--> bounded

-- A unit's own average
SELECT sum(m) FROM (SELECT patient_id, avg(cost) AS m FROM visits GROUP BY patient_id) t
--> bounded

-- A unit's own smallest and largest
SELECT sum(low), sum(high) FROM (SELECT patient_id, min(cost) AS low, max(cost) AS high FROM visits GROUP BY patient_id) t
--> bounded

-- A unit's own median
SELECT sum(m) FROM (SELECT patient_id, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS m FROM visits GROUP BY patient_id) t
--> bounded

-- A unit's own totals by clinic
SELECT clinic_id, sum(total) FROM (SELECT patient_id, clinic_id, sum(cost) AS total FROM visits GROUP BY patient_id, clinic_id) t GROUP BY clinic_id
--> bounded

-- The first visit
SELECT clinic_id, count(*), sum(cost) FROM (SELECT *, row_number() OVER (PARTITION BY patient_id ORDER BY day) AS rn FROM visits) t WHERE rn = 1 GROUP BY clinic_id
--> bounded

-- The first visits of each clinic
SELECT clinic_id, count(*) FROM (SELECT *, row_number() OVER (PARTITION BY patient_id, clinic_id ORDER BY day) AS rn FROM visits) t WHERE rn = 1 GROUP BY clinic_id
--> bounded

-- The row number, added up
SELECT sum(rn) FROM (SELECT patient_id, row_number() OVER (PARTITION BY patient_id ORDER BY day) AS rn FROM visits) t
--> bounded

-- A row number times something large
SELECT sum(rn * 1000000000000) FROM (SELECT patient_id, row_number() OVER (PARTITION BY patient_id ORDER BY day) AS rn FROM visits) t
--> bounded

-- Rank by day
SELECT r, count(*) FROM (SELECT patient_id, rank() OVER (PARTITION BY patient_id ORDER BY day) AS r FROM visits) t GROUP BY r
--> bounded

-- The cost before
SELECT sum(before) FROM (SELECT patient_id, lag(cost) OVER (PARTITION BY patient_id ORDER BY day) AS before FROM visits) t
--> bounded

-- A running total
SELECT sum(running) FROM (SELECT patient_id, sum(cost) OVER (PARTITION BY patient_id ORDER BY day ROWS UNBOUNDED PRECEDING) AS running FROM visits) t
--> bounded

-- A frame of three rows
SELECT sum(x) FROM (SELECT patient_id, max(cost) OVER (PARTITION BY patient_id ORDER BY day ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS x FROM visits) t
--> bounded

-- People with visits
SELECT region, count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits WHERE cost > 100) GROUP BY region
--> bounded

-- People without visits
SELECT region, count(*) FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM visits) GROUP BY region
--> bounded

-- Visits of people with another visit
SELECT count(*) FROM visits v WHERE EXISTS (SELECT 1 FROM visits w WHERE w.patient_id = v.patient_id AND w.day > v.day)
--> bounded

-- Visits of people without another visit
SELECT clinic_id, count(*), sum(cost) FROM visits v WHERE NOT EXISTS (SELECT 1 FROM visits w WHERE w.patient_id = v.patient_id AND w.visit_id <> v.visit_id) GROUP BY clinic_id
--> bounded

-- People with their visits, or without
SELECT region, count(*), count(v.visit_id), sum(v.cost) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY region
--> bounded

-- By the other side of an outer join
SELECT v.clinic_id, count(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY v.clinic_id
--> bounded

-- By the other side of an outer join, hidden
SELECT v.kind, count(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id AND v.cost > 3900 GROUP BY v.kind
--> bounded

-- A left join with a public table
SELECT c.city, count(*) FROM visits v LEFT JOIN clinics c ON c.clinic_id = v.clinic_id AND c.beds > 60 GROUP BY c.city
--> bounded

-- Different values
SELECT count(DISTINCT cost), count(DISTINCT kind), count(DISTINCT day) FROM visits
--> bounded

-- Different values by key
SELECT clinic_id, count(DISTINCT kind) FROM visits GROUP BY clinic_id
--> bounded

-- A sum of different values
SELECT sum(DISTINCT cost), sum(DISTINCT clinic_id) FROM visits
--> bounded

-- Different values of people
SELECT count(DISTINCT age), sum(DISTINCT age), count(DISTINCT disease) FROM patients
--> bounded

-- A filter
SELECT clinic_id, count(*) FILTER (WHERE cost > 1000), sum(cost) FILTER (WHERE kind = 'check') FROM visits GROUP BY clinic_id
--> bounded

-- Counting what is not NULL
SELECT count(cost), count(age) FROM visits JOIN patients USING (patient_id)
--> bounded

-- Many measures in one release
SELECT clinic_id, count(*), count(cost), sum(cost), sum(tip) FILTER (WHERE tip BETWEEN 0 AND 9), sum(cost * 2), sum(-cost), sum(extract(month FROM day)), count(DISTINCT patient_id) FROM visits WHERE tip BETWEEN 0 AND 9 GROUP BY clinic_id
--> bounded

-- An expression of a public key
SELECT age / 10, count(*) FROM patients GROUP BY age / 10
--> bounded

-- A key from a CASE
SELECT CASE WHEN cost > 1000 THEN 'dear' WHEN cost > 100 THEN 'fair' ELSE 'cheap' END AS level, count(*), sum(cost) FROM visits GROUP BY 1
--> bounded

-- A histogram
SELECT width_bucket(cost, 0, 5000, 10) AS b, count(*) FROM visits GROUP BY b
--> bounded

-- Months
SELECT extract(month FROM day) AS m, count(*) FROM visits GROUP BY m
--> bounded

-- Grouping sets
SELECT clinic_id, kind, count(*) FROM visits GROUP BY GROUPING SETS ((clinic_id), (kind), ())
--> answered

-- A rollup
SELECT region, insured, count(*), sum(salary) FROM patients GROUP BY ROLLUP (region, insured)
--> answered

-- What is hidden as one row
SELECT kind, count(*) FROM visits GROUP BY kind HAVING count(*) > 0
--> bounded

-- A released number inside a tagged condition
SELECT count(*) FROM visits WHERE cost > 0 * (SELECT count(*) FROM visits)
--> bounded

-- A released table beside private rows
WITH s AS (SELECT clinic_id, 0 * count(*) AS zero FROM visits GROUP BY clinic_id) SELECT count(*), sum(v.cost) FROM visits v JOIN s ON s.clinic_id = v.clinic_id AND s.zero = 0
--> bounded

-- A CTE as rows and as a release
WITH v AS (SELECT patient_id, clinic_id, cost FROM visits WHERE cost > 10) SELECT v.clinic_id, count(*), sum(cost) FROM v WHERE v.patient_id IN (SELECT patient_id FROM v WHERE cost < 4000) GROUP BY v.clinic_id
--> bounded

-- Caps of the question's own
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 1) clinic_id, count(*), sum(cost) FROM visits GROUP BY clinic_id
--> bounded

-- Bounds of the question's own
SELECT sum(cost, contribution_bounds_per_group => (0, 100)) FROM visits
--> bounded

-- Longer paths
SELECT product, count(*), sum(price) FROM items GROUP BY product
--> bounded

-- Longer paths, joined
SELECT o.channel, count(*), sum(i.price) FROM orders o JOIN items i ON i.order_id = o.order_id GROUP BY o.channel
--> bounded

-- Longer paths up to the unit
SELECT c.level, count(*), count(DISTINCT i.product) FROM customers c JOIN orders o USING (customer_id) JOIN items i USING (order_id) GROUP BY c.level
--> bounded

-- A sum of negative numbers
SELECT sum(price), sum(least(price, 0)), sum(greatest(price, 0)) FROM items
--> bounded

-- Each row a unit
SELECT sensor, count(*), sum(celsius) FROM readings GROUP BY sensor
--> bounded

-- Each row a unit, times a public table
SELECT name, count(*), sum(celsius) FROM readings CROSS JOIN clinics GROUP BY name
--> bounded

-- Each row a unit, twice
SELECT count(*), sum(celsius) FROM (SELECT sensor, celsius FROM readings UNION ALL SELECT sensor, -celsius FROM readings) r
--> bounded

-- Decimals
SELECT region, sum(balance), sum(balance * 2), sum(balance * balance) FROM patients GROUP BY region
--> bounded

-- Booleans as numbers
SELECT sum(CASE WHEN insured THEN 1 ELSE 0 END), sum(insured::integer) FROM patients
--> bounded

-- Dates as numbers
SELECT sum(day - DATE '2024-01-01') FROM visits
--> bounded

-- Distinct rows of each unit
SELECT clinic_id, count(*) FROM (SELECT DISTINCT patient_id, clinic_id FROM visits) t GROUP BY clinic_id
--> bounded

-- A window over a sub-aggregate
SELECT clinic_id, sum(n) FROM (SELECT patient_id, clinic_id, n, row_number() OVER (PARTITION BY patient_id ORDER BY n DESC) AS rn FROM (SELECT patient_id, clinic_id, count(*) AS n FROM visits GROUP BY patient_id, clinic_id) a) b WHERE rn <= 2 GROUP BY clinic_id
--> bounded

-- An alias for the unit
SELECT count(*), sum(x) FROM (SELECT patient_id AS p, sum(cost) AS x FROM visits GROUP BY p) a JOIN patients ON patients.patient_id = a.p
--> bounded

-- Somebody's share
SELECT sum(share) FROM (SELECT patient_id, cost / nullif(sum(cost) OVER (PARTITION BY patient_id), 0) AS share FROM visits) t WHERE share BETWEEN 0 AND 1
--> bounded

-- The NULL group of an aggregate of nothing
SELECT m, count(*) FROM (SELECT patient_id, max(clinic_id) FILTER (WHERE cost > 3990) AS m FROM visits GROUP BY patient_id) t GROUP BY m
--> bounded
