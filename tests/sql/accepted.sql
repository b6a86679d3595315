--- What is accepted, and what the rules make of it. See test_questions.c for the tables and the form of a block.

--- One table.

-- a count
SELECT count(*) FROM patients
--> releases: 1
--> columns: count
--> one row: yes

-- a table in its schema, as tools write it
SELECT "public"."patients"."region" AS "region", count(*) AS "count" FROM "public"."patients"
WHERE "public"."patients"."age" > 30 GROUP BY "public"."patients"."region" ORDER BY "public"."patients"."region" ASC
--> releases: 1
--> columns: region, count
--> one row: yes

-- the schema may be said in one place and not in the other
SELECT patients.region, count(public.patients.age) FROM public.patients GROUP BY public.patients.region
--> releases: 1

-- a CTE of the same name as a table, and the table
WITH patients AS (SELECT region, age FROM public.patients) SELECT count(*) FROM patients
--> releases: 1

-- a count by a public key
SELECT region, count(*) AS n FROM patients GROUP BY region
--> releases: 1
--> columns: region, n
--> one row: yes

-- several aggregates share one release
SELECT region, count(*), avg(age), sum(salary) FROM patients GROUP BY region
--> releases: 1
--> columns: region, count, avg, sum

-- many rows of one unit are not one row
SELECT count(*) FROM visits
--> releases: 1
--> one row: no

-- each row its own unit is one row
SELECT kind, count(*) FROM events GROUP BY kind
--> releases: 1
--> one row: yes

-- WHERE
SELECT avg(age) FROM patients WHERE region = 'north' AND salary > 1000
--> releases: 1
--> has: filter
--> one row: yes

-- CASE, COALESCE, casts and arithmetic
SELECT sum(CASE WHEN insured THEN coalesce(age, 0) * 2 ELSE 0 END), avg(age::double precision / 2 + 5) FROM patients
--> releases: 1
--> columns: sum, avg

-- text and date functions
SELECT count(*) FROM patients WHERE lower(disease) LIKE 'flu%' AND extract(year FROM born) > 1980
--> releases: 1

-- FILTER and DISTINCT
SELECT count(*) FILTER (WHERE insured), count(DISTINCT age), count(DISTINCT patient_id) FROM patients
--> releases: 1
--> columns: count, count, count

-- statistics
SELECT var_pop(age), stddev_samp(salary), corr(age, salary), median(age), min(age), max(salary) FROM patients
--> columns: var_pop, stddev_samp, corr, median, min, max

-- percentiles
SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY age), percentile_cont(0.75) WITHIN GROUP (ORDER BY age) FROM patients
--> columns: percentile_cont, percentile_cont

-- arithmetic of aggregates
SELECT region, sum(salary) / count(*) AS mean FROM patients GROUP BY region
--> releases: 1
--> columns: region, mean

-- equal aggregates are one number
SELECT count(*) - count(*) AS zero FROM patients HAVING count(*) > 10 ORDER BY count(*)
--> releases: 1
--> columns: zero

-- a column that the owner declared with a capital
SELECT avg(height) FROM patients
--> releases: 1

-- the same, quoted
SELECT avg("Height") FROM patients
--> releases: 1

-- keys that are only listed
SELECT region FROM patients GROUP BY region
--> releases: 1
--> columns: region

-- WHERE gives bounds to a column that has none
SELECT avg(weight) FROM patients WHERE weight BETWEEN 0 AND 200
--> releases: 1

-- the same with two comparisons
SELECT sum(weight) FROM patients WHERE weight > 0 AND weight <= 200.5
--> releases: 1

-- WHERE narrows the keys that are shown
SELECT age, count(*) FROM patients WHERE age >= 18 AND age < 21 GROUP BY age
--> releases: 1
--> has: keys, all shown

--- GROUP BY.

-- by position
SELECT region, count(*) FROM patients GROUP BY 1
--> releases: 1
--> columns: region, count

-- by an alias
SELECT age / 10 AS decade, count(*) FROM patients GROUP BY decade
--> releases: 1
--> columns: decade, count

-- by an expression, used again inside another one
SELECT (age / 10) * 10 AS age_from, count(*) FROM patients GROUP BY age / 10
--> releases: 1
--> columns: age_from, count

-- by a row of columns
SELECT region, insured, count(*) FROM patients GROUP BY (region, insured)
--> releases: 1

-- by an expression of the unit: a release, not a grouping by the unit
SELECT patient_id % 10 AS digit, count(*) FROM patients GROUP BY patient_id % 10
--> releases: 1
--> columns: digit, count
--> one row: yes

-- histogram
SELECT width_bucket(salary, 0, 100000, 10) AS bucket, count(*) FROM patients GROUP BY bucket
--> releases: 1
--> columns: bucket, count

-- ROLLUP
SELECT region, insured, count(*), grouping(region, insured) AS g FROM patients GROUP BY ROLLUP (region, insured)
--> columns: region, insured, count, g

-- CUBE
SELECT region, insured, sum(age) FROM patients GROUP BY CUBE (region, insured)
--> columns: region, insured, sum

-- GROUPING SETS
SELECT region, insured, count(*) FROM patients GROUP BY GROUPING SETS ((region), (insured), ())
--> columns: region, insured, count

-- HAVING, ORDER BY, LIMIT and OFFSET
SELECT region, count(*) AS n FROM patients GROUP BY region HAVING count(*) > 10 ORDER BY n DESC, region LIMIT 3 OFFSET 1
--> releases: 1
--> columns: region, n
--> has: limit
--> has: sort

-- HAVING without GROUP BY
SELECT sum(salary) FROM patients HAVING count(*) > 5
--> releases: 1
--> has: filter

-- ORDER BY what is not selected
SELECT region FROM patients GROUP BY region ORDER BY avg(age)
--> releases: 1
--> columns: region
--> has: sort

-- ORDER BY a position, NULLS FIRST
SELECT region, count(*) FROM patients GROUP BY region ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS FIRST
--> has: descending nulls last
--> has: nulls first

-- PostgreSQL's order of NULLs is said
SELECT region, count(*) AS n FROM patients GROUP BY region ORDER BY n DESC, region
--> has: descending nulls first
--> has: nulls last

-- FETCH FIRST
SELECT region, count(*) FROM patients GROUP BY region ORDER BY 2 FETCH FIRST 2 ROWS ONLY
--> has: limit 2

--- Joins of private tables.

-- on the unit
SELECT p.region, sum(v.cost) FROM patients p JOIN visits v ON v.patient_id = p.patient_id GROUP BY p.region
--> releases: 1
--> has: join on the unit
--> one row: no

-- on the unit and more
SELECT count(*) FROM patients p JOIN visits v ON p.patient_id = v.patient_id AND v.cost > p.age
--> has: join on the unit

-- USING merges the column
SELECT count(DISTINCT patient_id) FROM patients JOIN visits USING (patient_id)
--> releases: 1
--> has: join on the unit

-- NATURAL
SELECT region, count(*) FROM patients NATURAL JOIN visits GROUP BY region
--> has: join on the unit

-- LEFT JOIN
SELECT p.region, count(v.cost) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY p.region
--> has: left join on the unit

-- RIGHT JOIN
SELECT count(*) FROM visits v RIGHT JOIN patients p USING (patient_id)
--> has: right join on the unit

-- a self-join on the unit
SELECT count(*) FROM visits a JOIN visits b ON a.patient_id = b.patient_id AND a.day < b.day
--> has: join on the unit

-- a self-join of one-row tables stays one row
SELECT count(*) FROM patients a JOIN patients b ON a.patient_id = b.patient_id
--> one row: yes

-- tables that name the same unit column
SELECT avg(r.pulse) FROM visits v JOIN readings r USING (patient_id, day)
--> has: join on the unit

-- a comma join with the equality in WHERE
SELECT count(*) FROM patients p, visits v WHERE p.patient_id = v.patient_id AND v.cost > 100
--> has: join on the unit
--> has: filter

-- a comma join whose order does not equate units one after the other
SELECT count(*) FROM visits v, readings r, patients p WHERE v.patient_id = p.patient_id AND p.patient_id = r.patient_id
--> releases: 1
--> has: join on the unit

-- three tables
SELECT p.region, avg(r.pulse) FROM patients p JOIN visits v USING (patient_id) JOIN readings r USING (patient_id) GROUP BY p.region
--> releases: 1

-- along a declared key, when the unit is reached over joins
SELECT c.city, sum(o.total) FROM orders o JOIN customers c ON o.customer_id = c.id GROUP BY c.city
--> has: join on the unit
--> one row: no

-- along a key of two columns
SELECT sum(i.price) FROM items i JOIN orders o ON o.shop = i.shop AND i.order_number = o.number
--> has: join on the unit

-- siblings that point to one parent row
SELECT count(*) FROM items i JOIN parcels p USING (shop, order_number)
--> has: join on the unit

-- several levels
SELECT c.city, sum(i.price) FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.shop = o.shop AND i.order_number = o.number GROUP BY c.city
--> releases: 1

-- orders of one customer
SELECT count(*) FROM orders a JOIN orders b ON a.customer_id = b.customer_id AND a.number < b.number
--> has: join on the unit

-- a path of two steps by itself
SELECT count(*), sum(price) FROM items
--> releases: 1
--> has: scan "items", unit of "orders" of "customers" "household"

-- the owner's unproved key does not matter where nothing leads over it
SELECT count(*) FROM writers
--> releases: 1

--- Joins with public tables.

-- a public key that is unique keeps one row
SELECT c.city, count(*) FROM patients p JOIN clinics c ON c.clinic_id = p.home_clinic GROUP BY c.city
--> one row: yes

-- LEFT JOIN with a public table
SELECT c.city, count(*) FROM patients p LEFT JOIN clinics c ON p.home_clinic = c.clinic_id GROUP BY c.city
--> has: left join on
--> one row: yes

-- RIGHT JOIN that preserves the private side, written the other way round
SELECT count(*) FROM clinics c RIGHT JOIN patients p ON p.home_clinic = c.clinic_id
--> one row: yes

-- a public column that is not unique multiplies rows
SELECT count(*) FROM patients p JOIN clinics c ON p.age = c.beds
--> one row: no

-- an inequality multiplies rows
SELECT count(*) FROM patients p JOIN clinics c ON p.home_clinic >= c.clinic_id
--> one row: no

-- a key under OR multiplies rows
SELECT count(*) FROM patients p JOIN clinics c ON p.home_clinic = c.clinic_id OR c.beds > 3
--> one row: no

-- a cross join with a public table multiplies rows
SELECT count(*) FROM patients, clinics
--> one row: no

-- a public table joined to itself is not unique any more
SELECT count(*) FROM patients p JOIN (SELECT a.clinic_id FROM clinics a JOIN clinics b ON a.city = b.city) c ON c.clinic_id = p.home_clinic
--> one row: no

-- UNION ALL of a public table with itself is not unique either
SELECT count(*) FROM patients p JOIN (SELECT clinic_id FROM clinics UNION ALL SELECT clinic_id FROM clinics) c ON c.clinic_id = p.home_clinic
--> one row: no

-- a filtered public table is still unique
SELECT count(*) FROM patients p JOIN (SELECT clinic_id AS id FROM clinics WHERE beds > 10) c ON c.id = p.home_clinic
--> one row: yes

-- joins on unique keys multiply nothing, however many
SELECT count(*) FROM visits v JOIN clinics a USING (clinic_id) JOIN clinics b USING (clinic_id) JOIN clinics c USING (clinic_id) JOIN clinics d USING (clinic_id) JOIN clinics e USING (clinic_id) JOIN clinics f USING (clinic_id) JOIN clinics g USING (clinic_id) JOIN clinics h USING (clinic_id) JOIN clinics i USING (clinic_id) JOIN clinics j USING (clinic_id)
--> releases: 1

-- one row of values
SELECT count(*) FROM patients p JOIN (VALUES (30)) AS v(limit_age) ON p.age > v.limit_age
--> one row: yes

-- several rows of values
SELECT v.name, count(*) FROM patients p JOIN (VALUES (30, 'young'), (99, 'all')) AS v(age, name) ON p.age < v.age GROUP BY v.name
--> one row: no

-- IN over a public table
SELECT count(*) FROM patients WHERE home_clinic IN (SELECT clinic_id FROM clinics WHERE city = 'Bonn')
--> has: rows with a partner
--> one row: yes

-- NOT IN over a public table minds NULLs
SELECT count(*) FROM patients WHERE home_clinic NOT IN (SELECT clinic_id FROM clinics)
--> has: rows without a partner
--> has: is not false((home_clinic = clinic_id))

-- EXISTS over a public table, correlated
SELECT count(*) FROM visits v WHERE EXISTS (SELECT 1 FROM clinics c WHERE c.clinic_id = v.clinic_id AND c.beds > 100)
--> has: rows with a partner

-- an uncorrelated EXISTS over a public table
SELECT count(*) FROM patients WHERE EXISTS (SELECT 1 FROM clinics WHERE beds > 1000)
--> has: rows with a partner

-- a public table by itself
SELECT city, count(*) FROM clinics GROUP BY city
--> releases: 0

-- public tables preserve what they like
SELECT c.city, t.name FROM clinics c FULL JOIN towns t USING (city)
--> releases: 0
--> columns: city, name

-- a star of a public table
SELECT * FROM clinics ORDER BY beds DESC LIMIT 3
--> releases: 0
--> columns: clinic_id, city, beds

-- USING shows the merged column once, first
SELECT * FROM clinics JOIN towns USING (city)
--> columns: city, clinic_id, beds, name

--- IN and EXISTS along the unit.

-- IN
SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits WHERE cost > 1000)
--> has: rows with a partner on the unit
--> one row: yes

-- NOT IN: units are never NULL
SELECT count(*) FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM visits)
--> has: rows without a partner on the unit
--> lacks: is not false
--> one row: yes

-- <> ALL is NOT IN
SELECT count(*) FROM patients WHERE patient_id <> ALL (SELECT patient_id FROM visits)
--> has: rows without a partner on the unit

-- = ANY is IN
SELECT count(*) FROM patients WHERE patient_id = ANY (SELECT patient_id FROM visits)
--> has: rows with a partner on the unit

-- EXISTS
SELECT region, count(*) FROM patients p WHERE EXISTS (SELECT * FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > p.age) GROUP BY region
--> has: rows with a partner on the unit

-- NOT EXISTS
SELECT count(*) FROM patients p WHERE age > 10 AND NOT EXISTS (SELECT 1 FROM visits WHERE visits.patient_id = p.patient_id)
--> has: rows without a partner on the unit
--> has: filter

-- IN over a group of each unit
SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits GROUP BY patient_id HAVING count(*) > 3)
--> has: rows with a partner on the unit

-- several columns at once
SELECT count(*) FROM visits WHERE (patient_id, day) IN (SELECT patient_id, day FROM readings WHERE pulse > 150)
--> has: rows with a partner on the unit

-- EXISTS within EXISTS
SELECT count(*) FROM patients p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id AND EXISTS (SELECT 1 FROM readings r WHERE r.patient_id = v.patient_id AND r.day = v.day))
--> releases: 1

-- EXISTS along a declared key
SELECT count(*) FROM orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.shop = o.shop AND i.order_number = o.number AND i.price > 50)
--> has: rows with a partner on the unit

-- IN over a release
SELECT count(*) FROM patients WHERE region IN (SELECT region FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r WHERE n > 100)
--> releases: 2
--> has: rows with a partner

--- Per unit first.

-- visits per patient
SELECT avg(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) v
--> releases: 1
--> one row: yes

-- how many patients have how many visits
SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) v GROUP BY n
--> one row: yes
--> columns: n, count

-- two keys, the unit among them: several rows of a unit
SELECT avg(n) FROM (SELECT patient_id, clinic_id, count(*) AS n FROM visits GROUP BY patient_id, clinic_id) v
--> one row: no

-- a key that is the same on all rows of a unit
SELECT region, avg(n) FROM (SELECT p.patient_id, p.region, count(*) AS n FROM patients p JOIN visits v USING (patient_id) GROUP BY p.patient_id, p.region) x GROUP BY region
--> one row: yes

-- sums of reals per unit are on a grid
SELECT avg(total) FROM (SELECT patient_id, sum(cost) AS total FROM visits GROUP BY patient_id) v
--> has: floor
--> one row: yes

-- HAVING per unit
SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY patient_id HAVING max(cost) > 1000) v
--> one row: yes

-- DISTINCT with the unit
SELECT count(*) FROM (SELECT DISTINCT patient_id, clinic_id FROM visits) v
--> has: group by 2
--> one row: no

-- UNION with the unit
SELECT count(*) FROM (SELECT patient_id FROM visits UNION SELECT patient_id FROM readings) v
--> has: append
--> one row: yes

-- the first visit of each patient
SELECT avg(cost) FROM (SELECT patient_id, cost, row_number() OVER (PARTITION BY patient_id ORDER BY day) AS k FROM visits) v WHERE k = 1
--> has: row_number() over (partition by patient_id order by day nulls last, clinic_id nulls last, day nulls last, cost nulls last, reason nulls last)
--> releases: 1
--> one row: yes

-- the two dearest visits of each patient are not one row
SELECT avg(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY patient_id ORDER BY cost DESC) AS k FROM visits) v WHERE k <= 2
--> has: row_number() over (partition by patient_id order by cost descending nulls first, clinic_id nulls last
--> one row: no

-- the first visit to each clinic is not one row
SELECT avg(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY patient_id, clinic_id ORDER BY day) AS k FROM visits) v WHERE k = 1
--> one row: no

-- rows of the first rank may be several
SELECT avg(cost) FROM (SELECT cost, rank() OVER (PARTITION BY patient_id ORDER BY day) AS k FROM visits) v WHERE k = 1
--> one row: no

-- the first visit, multiplied by a join before it is chosen
SELECT avg(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY patient_id ORDER BY day) AS k FROM visits) v JOIN clinics c ON c.beds > v.cost WHERE v.k = 1
--> one row: no

-- the first visit or something else
SELECT avg(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY patient_id ORDER BY day) AS k FROM visits) v WHERE k = 1 OR cost > 5
--> one row: no

-- rank needs no total order
SELECT count(*) FROM (SELECT rank() OVER (PARTITION BY patient_id ORDER BY cost DESC) AS k FROM visits) v WHERE k = 1
--> releases: 1

-- lag, sums over rows, named windows
SELECT avg(gap) FROM (SELECT day - lag(day) OVER w AS gap, sum(cost) OVER (w ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM visits WINDOW w AS (PARTITION BY patient_id ORDER BY day)) v
--> releases: 1
--> has: floor

-- joining a group of each unit keeps one row
SELECT p.region, avg(v.n) FROM patients p LEFT JOIN (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) v ON v.patient_id = p.patient_id GROUP BY p.region
--> one row: yes

-- ORDER BY in a sub-select of private rows means nothing
SELECT avg(age) FROM (SELECT age FROM patients ORDER BY salary) x
--> lacks: sort
--> one row: yes

-- UNION ALL
SELECT count(*) FROM (SELECT patient_id, day FROM visits UNION ALL SELECT patient_id, day FROM readings) x
--> has: append
--> one row: no

-- UNION ALL of one-row tables with themselves is not one row
SELECT count(*) FROM (SELECT age FROM patients UNION ALL SELECT age FROM patients) x
--> one row: no

-- a unit in a UNION ALL can be grouped by
SELECT avg(n) FROM (SELECT patient_id, count(*) AS n FROM (SELECT patient_id, day FROM visits UNION ALL SELECT patient_id, day FROM readings) x GROUP BY patient_id) y
--> one row: yes

-- a column that is the unit on one side of UNION ALL alone is not the unit
SELECT x, count(*) FROM (SELECT patient_id AS x FROM visits UNION ALL SELECT clinic_id FROM visits) u GROUP BY x
--> releases: 1
--> columns: x, count

-- grouping by the other side's column after a LEFT JOIN is a release, not a grouping by the unit
SELECT v.patient_id, count(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY v.patient_id
--> releases: 1

-- grouping by the preserved side's unit is
SELECT avg(n) FROM (SELECT p.patient_id, count(v.cost) AS n FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY p.patient_id) x
--> releases: 1
--> one row: yes

--- After releases.

-- a CTE that is named twice is drawn once
WITH r AS (SELECT region, count(*) AS n FROM patients GROUP BY region) SELECT a.n - b.n AS zero FROM r a JOIN r b USING (region)
--> releases: 1
--> columns: zero

-- a few levels of CTEs that name each other twice
WITH a0 AS (SELECT patient_id FROM patients), a1 AS (SELECT x.patient_id FROM a0 x JOIN a0 y USING (patient_id)), a2 AS (SELECT x.patient_id FROM a1 x JOIN a1 y USING (patient_id)), a3 AS (SELECT x.patient_id FROM a2 x JOIN a2 y USING (patient_id)), a4 AS (SELECT x.patient_id FROM a3 x JOIN a3 y USING (patient_id)) SELECT count(*) FROM a4
--> releases: 1
--> one row: yes

-- a CTE that nobody names costs nothing
WITH r AS (SELECT count(*) FROM patients) SELECT avg(age) FROM patients
--> releases: 1

-- a CTE with column names, used by another
WITH r(place, people) AS (SELECT region, count(*) FROM patients GROUP BY region), s AS (SELECT sum(people) AS total FROM r) SELECT place, people / total AS share FROM r, s
--> releases: 1
--> columns: place, share

-- a private CTE named twice, with a release of each
WITH v AS (SELECT * FROM visits WHERE cost > 10) SELECT (SELECT count(*) FROM v) AS a, (SELECT avg(cost) FROM v) AS b
--> releases: 2
--> columns: a, b

-- a release within a condition over private rows
SELECT count(*) FROM patients WHERE salary > (SELECT avg(salary) FROM patients)
--> releases: 2

-- joins between releases
SELECT a.region, a.n, b.m FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) a FULL JOIN (SELECT region, avg(age) AS m FROM patients GROUP BY region) b ON a.region = b.region
--> releases: 2
--> has: full join

-- private rows joined with a release
SELECT count(*) FROM patients p JOIN (SELECT region, avg(salary) AS m FROM patients GROUP BY region) r ON p.region = r.region WHERE p.salary > r.m
--> releases: 2
--> has: join on

-- private rows joined with one released row keep one row each
SELECT count(*) FROM patients p CROSS JOIN (SELECT avg(salary) AS m FROM patients) r WHERE p.salary > r.m
--> releases: 2

-- outer aggregates over releases
SELECT max(n), string_agg(region, ',') FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r
--> releases: 1
--> columns: max, string_agg

-- windows over releases
SELECT region, n, rank() OVER (ORDER BY n DESC) AS place, sum(n) OVER () AS total, n / sum(n) OVER () AS share FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r
--> releases: 1
--> has: rank()
--> columns: region, n, place, total, share

-- windows over the aggregates of the same SELECT
SELECT region, count(*) AS n, sum(count(*)) OVER (ORDER BY region ROWS UNBOUNDED PRECEDING) AS running FROM patients GROUP BY region
--> releases: 1
--> columns: region, n, running

-- ROLLUP over a release
SELECT region, insured, sum(n), grouping(insured) AS g FROM (SELECT region, insured, count(*) AS n FROM patients GROUP BY region, insured) r GROUP BY ROLLUP (region, insured)
--> releases: 1
--> has: append
--> columns: region, insured, sum, g

-- DISTINCT and DISTINCT ON over releases
SELECT DISTINCT ON (insured) insured, region, n FROM (SELECT region, insured, count(*) AS n FROM patients GROUP BY region, insured) r ORDER BY insured, n DESC
--> releases: 1
--> columns: insured, region, n

-- SELECT DISTINCT over a release
SELECT DISTINCT n > 100 AS large FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r ORDER BY large
--> has: distinct
--> columns: large

-- set operations of releases
SELECT region FROM patients GROUP BY region HAVING count(*) > 10 EXCEPT SELECT region FROM patients GROUP BY region HAVING avg(age) > 50 ORDER BY region LIMIT 2
--> releases: 2
--> has: except

-- UNION ALL of releases
SELECT 'patients' AS what, count(*) AS n FROM patients UNION ALL SELECT 'visits', count(*) FROM visits ORDER BY n
--> releases: 2
--> columns: what, n

-- a NULL gets its type from the other side
SELECT region, count(*) AS n FROM patients GROUP BY region UNION ALL SELECT NULL, count(*) FROM patients
--> releases: 2
--> columns: region, n

-- also among private rows, and for a quoted date
SELECT count(*) FROM (SELECT patient_id, day FROM visits UNION ALL SELECT patient_id, NULL FROM patients UNION ALL SELECT patient_id, '2025-05-05' FROM readings) x
--> releases: 1
--> has: append

-- nobody gives a type: text
SELECT NULL AS a, 'b' AS b UNION ALL SELECT NULL, NULL
--> releases: 0
--> columns: a, b

-- UNION of releases and values
SELECT count(*) FROM patients UNION VALUES (1), (2)
--> releases: 1
--> has: union

-- IN over a release in HAVING
SELECT region, count(*) FROM patients GROUP BY region HAVING region IN (SELECT region FROM patients GROUP BY region HAVING count(*) > 50)
--> releases: 2
--> has: rows with a partner

-- EXISTS over a release in the select list
SELECT EXISTS (SELECT 1 FROM patients GROUP BY region HAVING count(*) > 1000) AS any_large
--> releases: 1
--> columns: any_large

-- nothing but a constant
SELECT 1 + 1 AS two
--> releases: 0
--> columns: two

-- VALUES by itself
VALUES (1, 'a'), (2, 'b') ORDER BY column1 DESC
--> releases: 0
--> columns: column1, column2

-- names of what has none
SELECT count(*) + 1, coalesce(sum(age), 0), CASE WHEN count(*) > 3 THEN 1 END, sum(age)::text FROM patients
--> columns: ?column?, coalesce, case, sum

-- aliases of tables and columns
SELECT p.years / 10 AS decade, count(*) FROM patients AS p(id, years) JOIN visits AS v ON v.patient_id = p.id GROUP BY p.years / 10
--> releases: 1
--> has: join on the unit

-- an alias of a join, with names for its columns
SELECT j.b, count(*) FROM (patients JOIN visits USING (patient_id)) AS j(a, b) GROUP BY j.b
--> releases: 1
--> columns: b, count

-- BigQuery's bounds for one aggregate
SELECT region, sum(salary, contribution_bounds_per_group => (0, 5000)) AS s, count(*) FROM patients GROUP BY region
--> releases: 1
--> columns: region, s, count

-- a grouping expression with a sub-select in it, again in the select list
SELECT age > (SELECT avg(age) FROM patients) AS older, count(*) FROM patients GROUP BY age > (SELECT avg(age) FROM patients)
--> releases: 2
