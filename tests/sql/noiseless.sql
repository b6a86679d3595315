--# Questions with an epsilon so large that the noise is nothing (tests/curator/test_noiseless.c).
--# "same": the answer is PostgreSQL's on the same rows; reals may differ "within" what the grid rounds.
--# Keys with a public domain are all shown, also when nobody is there: HAVING count(*) > 0 drops them on both sides.

-- Everybody
SELECT count(*) FROM patients
--> 40

-- A name for the column
SELECT count(*) AS people FROM patients
--> same

-- A table and its columns with the schema, as tools write them
SELECT "public"."visits"."kind" AS "kind", count("public"."visits"."cost") AS n FROM "public"."visits" JOIN public.patients ON public.visits.patient_id = patients.patient_id
WHERE "public"."patients"."age" > 30 GROUP BY public.visits.kind HAVING count(*) > 0 ORDER BY "kind"
--> same

-- Dates and times with a zone, as JDBC writes them: what has no zone forgets it
SELECT '1950-01-01 +00'::date, '2024-02-29 -05:30'::date, '2024-02-29 12:30:01+00'::timestamp, '2024-02-29 12:30:00+0530'::timestamp,
'2024-02-29T12:30:00Z'::timestamp, '2024-02-29 12:30:00 -5'::timestamp, '2024-02-29 12:30-15:59'::timestamp
--> same

-- A filter
SELECT count(*) FROM patients WHERE age >= 50
--> same

-- A column without its NULLs
SELECT count(age), count(*) FROM patients
--> same

-- Rows without a unit are nobody's
SELECT count(*) FROM visits
--> same

-- Rows whose path is broken are nobody's
SELECT count(*), sum(price) FROM items
--> same

-- Different people
SELECT count(DISTINCT patient_id) FROM visits
--> same

-- Different values
SELECT count(DISTINCT kind), count(DISTINCT clinic_id) FROM visits
--> same

-- Different values, summed
SELECT sum(DISTINCT clinic_id) FROM visits
--> same

-- Negative and positive numbers
SELECT sum(price), avg(price) FROM items
--> same

-- A sum of reals on the grid
SELECT sum(cost) FROM visits
--> same

-- An average
SELECT avg(cost), avg(age) FROM visits v JOIN patients p ON v.patient_id = p.patient_id
--> same

-- Decimals stay exact
SELECT sum(balance) FROM patients
--> same

-- An average of decimals
SELECT avg(balance) FROM patients
--> same

-- Reals that are rounded to the grid of their column
SELECT sum(salary) FROM patients
--> same within 20.5

-- Their average
SELECT avg(salary) FROM patients
--> same within 0.51

-- Variance and its kin
SELECT var_pop(age), var_samp(age), variance(age), stddev_pop(age), stddev_samp(age), stddev(age) FROM patients
--> same within 0.000001

-- Variance of reals
SELECT var_pop(cost), stddev_samp(cost) FROM visits
--> same within 0.01

-- Two columns together
SELECT covar_pop(age, salary), covar_samp(age, salary) FROM patients
--> same within 20

-- Correlation
SELECT corr(cost, clinic_id) FROM visits
--> same within 0.00001

-- A regression line
SELECT regr_slope(cost, clinic_id), regr_intercept(cost, clinic_id) FROM visits
--> same within 0.01

-- The median of whole numbers
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM patients
--> same

-- Several quantiles at one price
SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY age), percentile_disc(0.75) WITHIN GROUP (ORDER BY age) FROM patients
--> same

-- Quantiles of reals, on a grid of cells
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY cost) FROM visits
--> same within 3

-- The smallest and the largest
SELECT min(age), max(age) FROM patients
--> same

-- The largest date
SELECT max(day) FROM visits
--> same

-- A declared domain as key
SELECT region, count(*) FROM patients GROUP BY region
--> same

-- Several aggregates share one selection of keys
SELECT region, count(*), avg(age), sum(balance), max(age) FROM patients GROUP BY region
--> same within 0.000001

-- A position as key
SELECT region, count(*) FROM patients GROUP BY 1 ORDER BY 2 DESC, 1
--> same in order

-- An alias as key
SELECT region AS r, count(*) FROM patients GROUP BY r ORDER BY r
--> same in order

-- A boolean key
SELECT insured, count(*) FROM patients GROUP BY insured
--> same

-- An expression of a small range is a public key
SELECT age / 10 AS decade, count(*) FROM patients GROUP BY age / 10 HAVING count(*) > 0
--> same

-- All keys of the domain are there, also the empty ones
SELECT age / 30 AS third, count(*) FROM patients WHERE age < 60 GROUP BY 1 HAVING count(*) >= 0 AND age / 30 < 2
--> same

-- Empty keys show as zero
SELECT level, count(*) FROM customers WHERE customer_id = 'nobody' GROUP BY level
--> 1 | 0
--> 2 | 0
--> 3 | 0

-- Two keys
SELECT region, insured, count(*) FROM patients GROUP BY region, insured HAVING count(*) > 0
--> same

-- A hidden key; NULL is a group
SELECT disease, count(*) FROM patients GROUP BY disease
--> same

-- A hidden key with averages
SELECT kind, count(*), avg(cost), sum(cost) FROM visits GROUP BY kind
--> same within 0.000001

-- A hidden and a public key
SELECT kind, p.insured, count(*) FROM visits JOIN patients p USING (patient_id) GROUP BY kind, p.insured
--> same

-- A part of a date
SELECT extract(month FROM day) AS month, count(*) FROM visits GROUP BY 1 HAVING count(*) > 0
--> same

-- The month of a date
SELECT date_trunc('month', day) AS month, count(*) FROM visits GROUP BY 1 HAVING count(*) > 0
--> same

-- A histogram
SELECT width_bucket(cost, 0, 4000, 4) AS bucket, count(*) FROM visits WHERE cost IS NOT NULL GROUP BY 1 HAVING count(*) > 0
--> same

-- CASE makes keys
SELECT CASE WHEN age < 40 THEN 'young' WHEN age < 60 THEN 'middle' ELSE 'old' END AS stage, count(*) FROM patients GROUP BY 1
--> same

-- COALESCE of a nullable key
SELECT coalesce(disease, 'none') AS disease, count(*) FROM patients GROUP BY 1
--> same

-- FILTER
SELECT region, count(*) FILTER (WHERE age >= 50) AS old, count(*) FILTER (WHERE insured) AS insured FROM patients GROUP BY region
--> same

-- Arithmetic inside
SELECT sum(cost * 0.25), avg(age + 5), sum(CASE WHEN kind = 'check' THEN cost ELSE 0 END) FROM visits JOIN patients USING (patient_id)
--> same within 0.000001

-- Bounds written by the analyst
SELECT sum(least(greatest(tip, 0), 9)) FROM visits
--> same within 0.001

-- Arithmetic of aggregates
SELECT region, sum(age) / count(age) AS mean, count(*) * 2 + 1 AS odd FROM patients GROUP BY region
--> same

-- Percentages
SELECT insured, 100.0 * count(*) / 40 AS share FROM patients GROUP BY insured
--> same

-- HAVING
SELECT disease, count(*) AS n FROM patients GROUP BY disease HAVING avg(age) > 20 AND count(*) BETWEEN 1 AND 100
--> same

-- HAVING without GROUP BY
SELECT count(*) FROM patients HAVING count(*) > 1000
--> same

-- ORDER BY and LIMIT of a release
SELECT region, sum(age) AS s FROM patients GROUP BY region ORDER BY s DESC LIMIT 2
--> same in order

-- OFFSET
SELECT region, sum(age) AS s FROM patients GROUP BY region ORDER BY s DESC LIMIT 2 OFFSET 1
--> same in order

-- FETCH FIRST
SELECT region, sum(age) AS s FROM patients GROUP BY region ORDER BY 2 FETCH FIRST 1 ROWS ONLY
--> same in order

-- Order by an aggregate that is not shown
SELECT region FROM patients GROUP BY region ORDER BY sum(age)
--> same in order

-- NULLs stand last when rising, first when falling
SELECT disease, count(*) FROM patients GROUP BY disease ORDER BY disease DESC
--> same in order

-- NULLS FIRST
SELECT disease, count(*) FROM patients GROUP BY disease ORDER BY disease NULLS FIRST
--> same in order

-- Windows over a release
SELECT region, count(*), rank() OVER (ORDER BY sum(age) DESC) FROM patients GROUP BY region
--> same

-- A running sum over a release
SELECT region, sum(count(*)) OVER (ORDER BY region) AS running FROM patients GROUP BY region
--> same

-- A share of the whole, by a window
SELECT region, count(*)::double precision / sum(count(*)) OVER () AS share FROM patients GROUP BY region
--> same

-- An inner join along the unit
SELECT p.region, count(*), avg(v.cost) FROM patients p JOIN visits v ON p.patient_id = v.patient_id GROUP BY p.region
--> same within 0.000001

-- The other way round
SELECT p.region, count(*) FROM visits v JOIN patients p ON v.patient_id = p.patient_id AND v.cost > 100 GROUP BY p.region
--> same

-- USING
SELECT region, count(*) FROM patients JOIN visits USING (patient_id) GROUP BY region
--> same

-- NATURAL
SELECT region, count(*) FROM patients NATURAL JOIN visits GROUP BY region
--> same

-- A comma and WHERE
SELECT p.region, count(*) FROM patients p, visits v WHERE p.patient_id = v.patient_id AND v.kind = 'check' GROUP BY p.region
--> same

-- A left join keeps those without visits
SELECT p.region, count(*), count(v.visit_id) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY p.region
--> same

-- A right join
SELECT p.region, count(*), count(v.visit_id) FROM visits v RIGHT JOIN patients p ON v.patient_id = p.patient_id GROUP BY p.region
--> same

-- Those without a partner
SELECT count(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id WHERE v.visit_id IS NULL
--> same

-- A join of a table with itself on the unit
SELECT count(*) FROM visits a JOIN visits b ON a.patient_id = b.patient_id AND a.day < b.day
--> same

-- A public table
SELECT c.city, count(*), avg(v.cost) FROM visits v JOIN clinics c ON v.clinic_id = c.clinic_id GROUP BY c.city
--> same within 0.000001

-- A public table by USING, its name as key
SELECT name, count(*) FROM visits JOIN clinics USING (clinic_id) GROUP BY name
--> same

-- A public table, left joined
SELECT c.name, count(*) FROM visits v LEFT JOIN clinics c ON v.clinic_id = c.clinic_id AND c.beds > 60 GROUP BY c.name HAVING count(*) > 0
--> same

-- A public table in arithmetic
SELECT sum(v.clinic_id * 2) FROM visits v JOIN clinics c ON v.clinic_id = c.clinic_id WHERE c.beds >= 50
--> same

-- Three tables
SELECT p.insured, c.city, count(*) FROM patients p JOIN visits v USING (patient_id) JOIN clinics c USING (clinic_id) GROUP BY 1, 2 HAVING count(*) > 0
--> same

-- A long path: items -> orders -> customers
SELECT count(*), sum(price) FROM items WHERE price > 0
--> same

-- People behind a long path
SELECT count(DISTINCT o.customer_id) FROM items i JOIN orders o ON i.order_id = o.order_id WHERE i.product = 'tea'
--> same

-- Joined along declared keys
SELECT o.channel, i.product, count(*), sum(i.price) FROM items i JOIN orders o ON i.order_id = o.order_id GROUP BY o.channel, i.product
--> same

-- Joined along two keys
SELECT c.level, count(*), sum(i.price) FROM items i JOIN orders o USING (order_id) JOIN customers c USING (customer_id) GROUP BY c.level
--> same

-- Each row its own unit
SELECT sensor, count(*), avg(celsius) FROM readings GROUP BY sensor
--> same within 0.000001

-- Sub-select in FROM
SELECT count(*) FROM (SELECT patient_id, cost FROM visits WHERE cost > 1000) v
--> same

-- Names for the columns of a sub-select
SELECT sum(b) FROM (SELECT patient_id, clinic_id FROM visits) v (a, b)
--> same

-- Visits per patient
SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) v GROUP BY n HAVING count(*) > 0
--> same

-- The average number of visits
SELECT avg(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) v
--> same within 0.000001

-- The average of each patient's dearest visit
SELECT avg(m) FROM (SELECT patient_id, max(cost) AS m FROM visits GROUP BY patient_id) v
--> same within 0.000001

-- Each patient's sum
SELECT avg(s) FROM (SELECT patient_id, sum(cost) AS s FROM visits GROUP BY patient_id) v
--> same within 0.3

-- HAVING of a per-unit step
SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY patient_id HAVING count(*) >= 3) v
--> same

-- Per unit and kind
SELECT kind, avg(n) FROM (SELECT patient_id, kind, count(*) AS n FROM visits GROUP BY patient_id, kind) v GROUP BY kind
--> same within 0.000001

-- Different pairs of unit and kind
SELECT kind, count(*) FROM (SELECT DISTINCT patient_id, kind FROM visits) v GROUP BY kind
--> same

-- First visit
SELECT kind, count(*) FROM (SELECT kind, row_number() OVER (PARTITION BY patient_id ORDER BY day, visit_id) AS r FROM visits) v WHERE r = 1 GROUP BY kind
--> same

-- Top purchase
SELECT avg(price) FROM (SELECT price, row_number() OVER (PARTITION BY o.customer_id ORDER BY price DESC) AS r FROM items i JOIN orders o USING (order_id)) t WHERE r = 1
--> same within 0.000001

-- Days between visits
SELECT count(*) FROM (SELECT day - lag(day) OVER (PARTITION BY patient_id ORDER BY day, visit_id) AS gap FROM visits) g WHERE gap > 30
--> same

-- A running count per unit
SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY patient_id) AS n FROM visits) w WHERE n >= 4
--> same

-- CTE
WITH dear AS (SELECT patient_id, cost FROM visits WHERE cost > 2000) SELECT count(*), count(DISTINCT patient_id) FROM dear
--> same

-- CTE on CTE
WITH a AS (SELECT patient_id, cost FROM visits), b AS (SELECT patient_id, sum(cost) AS s FROM a GROUP BY patient_id) SELECT count(*) FROM b WHERE s > 3000
--> same

-- A CTE that is a release
WITH r AS (SELECT region, count(*) AS n FROM patients GROUP BY region) SELECT max(n), min(n), sum(n) FROM r
--> same

-- One release, named twice, is drawn once
WITH r AS (SELECT region, avg(age) AS a FROM patients GROUP BY region) SELECT x.region, x.a - y.a AS difference FROM r x JOIN r y ON x.region = y.region
--> same

-- A join of two releases
SELECT a.region, a.n, b.m FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) a JOIN (SELECT p.region, count(*) AS m FROM patients p JOIN visits v USING (patient_id) GROUP BY p.region) b ON a.region = b.region
--> same

-- An outer aggregate of a release
SELECT avg(n), count(*) FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r WHERE n > 2
--> same

-- A release joined with a public table
SELECT c.city, sum(r.n) FROM (SELECT clinic_id, count(*) AS n FROM visits GROUP BY clinic_id) r JOIN clinics c ON c.clinic_id = r.clinic_id GROUP BY c.city
--> same

-- A scalar sub-select that is a release, in the select list
SELECT region, count(*), (SELECT count(*) FROM patients) AS everybody FROM patients GROUP BY region
--> same

-- A scalar sub-select that is a release, in the filter of another release
SELECT count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits)
--> same

-- A release joined with private rows
SELECT count(*) FROM patients p JOIN (SELECT region, avg(age) AS a FROM patients GROUP BY region) r ON r.region = p.region WHERE p.age > r.a
--> same

-- A release in an IN
SELECT count(*) FROM patients WHERE region IN (SELECT region FROM patients GROUP BY region HAVING sum(age) > 400)
--> same

-- IN along the unit
SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits WHERE kind = 'surgery')
--> same

-- NOT IN along the unit, which no NULL can sway
SELECT count(*) FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM visits WHERE kind = 'surgery')
--> same

-- EXISTS along the unit
SELECT region, count(*) FROM patients p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > 2000) GROUP BY region
--> same

-- NOT EXISTS along the unit
SELECT region, count(*) FROM patients p WHERE NOT EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id) GROUP BY region HAVING count(*) > 0
--> same

-- EXISTS with another condition between the two
SELECT count(*) FROM visits a WHERE EXISTS (SELECT 1 FROM visits b WHERE b.patient_id = a.patient_id AND b.day > a.day AND b.kind <> a.kind)
--> same

-- IN of a public sub-select
SELECT count(*) FROM visits WHERE clinic_id IN (SELECT clinic_id FROM clinics WHERE city = 'Ulm')
--> same

-- NOT IN of a public sub-select with a NULL counts nothing
SELECT count(*) FROM visits WHERE clinic_id NOT IN (SELECT beds FROM clinics)
--> same

-- UNION ALL of the same kind of unit
SELECT count(*), sum(x) FROM (SELECT patient_id, cost AS x FROM visits WHERE kind = 'check' UNION ALL SELECT patient_id, salary FROM patients WHERE age > 70) u
--> same within 10

-- UNION of releases
SELECT 'patients' AS what, count(*) FROM patients UNION ALL SELECT 'visits', count(*) FROM visits
--> same

-- EXCEPT of releases
SELECT region FROM patients GROUP BY region EXCEPT SELECT region FROM patients WHERE age > 30 GROUP BY region HAVING count(*) < 7
--> same

-- DISTINCT of a release
SELECT DISTINCT count(*) > 5 AS many FROM patients GROUP BY region
--> same

-- ROLLUP
SELECT region, insured, count(*) FROM patients GROUP BY ROLLUP (region, insured) HAVING count(*) > 0
--> same

-- CUBE with averages
SELECT region, insured, avg(age), grouping(region, insured) FROM patients GROUP BY CUBE (region, insured) HAVING count(*) > 0
--> same within 0.000001

-- GROUPING SETS
SELECT region, insured, count(*), sum(age) FROM patients GROUP BY GROUPING SETS ((region), (insured), ()) HAVING count(*) > 0
--> same

-- Text functions
SELECT upper(left(kind, 1)) AS letter, length(kind) AS length, count(*) FROM visits GROUP BY 1, 2
--> same

-- LIKE
SELECT count(*) FROM visits WHERE kind LIKE '%e%y'
--> same

-- BETWEEN on dates
SELECT count(*) FROM visits WHERE day BETWEEN DATE '2024-03-01' AND '2024-06-30'
--> same

-- Date arithmetic
SELECT count(*) FROM visits WHERE day + 30 > DATE '2024-06-01' AND seen < TIMESTAMP '2024-12-01 00:00:00' - INTERVAL '1 month'
--> same

-- Integer division and remainder are PostgreSQL's
SELECT sum(price / 7), sum(price % 7), sum(-price / 7) FROM items
--> same

-- Casts
SELECT sum(CAST(cost AS integer)), sum(age::double precision) FROM visits JOIN patients USING (patient_id)
--> same

-- NULLIF, GREATEST, LEAST
SELECT sum(coalesce(nullif(age, 30), 0)), sum(greatest(age, 40)), sum(least(age, 40)) FROM patients
--> same

-- IS DISTINCT FROM
SELECT count(*) FROM patients WHERE disease IS DISTINCT FROM 'flu'
--> same

-- Three-valued logic
SELECT count(*) FROM patients WHERE NOT (age > 50 AND disease = 'flu')
--> same

-- Nothing is left
SELECT count(*), sum(age) FROM patients WHERE false
--> 0 | 0

-- Division by zero is NULL for private rows, never an error
SELECT count(100 / (age - age)) FROM patients
--> 0

-- Only public tables: plain SQL
SELECT city, count(*), max(beds) FROM clinics GROUP BY city ORDER BY city
--> same in order

-- No table at all
SELECT 1 + 1 AS two, 'x' || 'y' AS text
--> same

-- VALUES
SELECT sum(a) FROM (VALUES (1, 'x'), (2, 'y')) AS t (a, b)
--> same

-- BigQuery's spelling, which can only tighten
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1e9, max_groups_contributed = 1) region, count(*) FROM patients GROUP BY region
--> north | 10
--> south | 10
--> east | 10
--> west | 10

-- Bounds of one person's contribution
SELECT sum(tip, contribution_bounds_per_group => (0, 1000)) > 0 FROM visits
--> t

-- Groups per person, tightened: each patient is counted under one kind alone
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 1, max_rows_contributed = 1) sum(n) FROM (SELECT kind, count(*) AS n FROM visits GROUP BY kind) k
--> 34

-- Zeros of both signs are one value in a unit's own groups: which of them the engine met first cannot be seen
SELECT count(*), count(*) FILTER (WHERE z::text = '-0') FROM (SELECT patient_id, z, count(*) AS n FROM (SELECT patient_id, CASE WHEN visit_id % 2 = 0 THEN 0::float8 ELSE 0::float8 * -1 END AS z FROM visits) v GROUP BY patient_id, z) w
--> 34 | 0

-- Zeros of both signs have no order in a unit's own window
SELECT count(*), count(*) FILTER (WHERE z::text = '-0') FROM (SELECT z, row_number() OVER (PARTITION BY patient_id ORDER BY 1) AS rn FROM (SELECT patient_id, CASE WHEN visit_id % 2 = 0 THEN 0::float8 ELSE 0::float8 * -1 END AS z FROM visits) v) w WHERE rn = 1
--> 34 | 0
