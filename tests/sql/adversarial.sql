--# Questions of an adversary who wants to know whether patient 41 is in the data (tests/curator/test_adversarial.c).
--# Each is asked of neighbouring databases: without him, with him as an ordinary patient, and with him as a monster (huge
--# numbers, NaN, odd texts, thousands of visits). Everything but the noise must be the same.
--# "asked": the question reaches the engine and is answered. "refused: words": never, on any of them.

-- A division that fails for one person
SELECT count(*) FROM patients WHERE 1 / (patient_id - 41) > 0
--> asked

-- A remainder that fails for one person
SELECT sum(CASE WHEN age % (patient_id - 41) = 0 THEN 1 ELSE 0 END) FROM patients
--> asked

-- A real division that fails for one person
SELECT count(*) FROM patients WHERE 1.0 / (patient_id - 41) > 0.5
--> asked

-- A CASE that fails in one branch
SELECT count(CASE WHEN patient_id = 41 THEN 1 / 0 ELSE 1 END) FROM patients
--> asked

-- An overflow of integers
SELECT count(*) FROM patients WHERE age * 9223372036854775807 > 5
--> asked

-- An overflow by addition
SELECT count(*) FROM patients WHERE age + 9223372036854775807 > 5
--> asked

-- The smallest integer, negated
SELECT count(*) FROM patients WHERE -age > 5
--> asked

-- The smallest integer, divided by minus one
SELECT count(*) FROM patients WHERE age / -1 > 5
--> asked

-- The absolute value of the smallest integer
SELECT count(*) FROM patients WHERE abs(age) > 5
--> asked

-- A product of columns
SELECT sum(least(greatest(age * age * age, 0), 1000)) FROM patients
--> asked

-- An overflow of reals
SELECT count(*) FROM patients WHERE salary * 1e308 * 1e308 > 1
--> asked

-- exp of somebody's age
SELECT count(*) FROM patients WHERE exp(age) > 1
--> asked

-- A power
SELECT count(*) FROM patients WHERE power(age, 300) > 1 OR age ^ 0.5 > 3
--> asked

-- A power of a negative number
SELECT count(*) FROM patients WHERE power(40 - patient_id, 0.5) > 1
--> asked

-- The root of a negative number
SELECT count(*) FROM patients WHERE sqrt(40 - patient_id) > 1
--> asked

-- The logarithm of zero
SELECT count(*) FROM patients WHERE ln(41 - patient_id) > 1 OR log(41 - patient_id) > 1
--> asked

-- A cast that fails for one person
SELECT count(*) FROM patients WHERE CAST(disease AS integer) > 1
--> asked

-- A cast to a date that fails for one person
SELECT count(*) FROM patients WHERE CAST(disease AS date) > DATE '2000-01-01'
--> asked

-- A cast of a huge real to an integer
SELECT count(*) FROM patients WHERE CAST(salary AS integer) > 1
--> asked

-- A cast to boolean
SELECT count(*) FROM patients WHERE CAST(disease AS boolean)
--> asked

-- A date beyond the calendar
SELECT count(*) FROM patients WHERE born + 2000000000 > DATE '2000-01-01'
--> asked

-- A date minus a number from somebody's row
SELECT count(*) FROM patients WHERE born - age > DATE '1900-01-01'
--> asked

-- An interval beyond the calendar
SELECT count(*) FROM patients WHERE born + INTERVAL '9000 years' > DATE '2000-01-01'
--> asked

-- Months of a date at the end of the calendar
SELECT count(*) FROM patients WHERE date_trunc('month', born) + INTERVAL '1 month' > DATE '2000-01-01'
--> asked

-- Parts of odd dates
SELECT count(*) FROM patients WHERE extract(year FROM born) % 400 = 1 OR extract(epoch FROM born) > 0
--> asked

-- NaN in a comparison
SELECT count(*) FROM patients WHERE salary > 50000
--> asked

-- NaN and infinities in a sum
SELECT sum(salary), avg(salary) FROM patients
--> asked

-- NaN and infinities in a variance
SELECT var_pop(salary), stddev_samp(salary) FROM patients
--> asked

-- NaN and infinities in a regression
SELECT corr(salary, age), regr_slope(salary, age) FROM patients
--> asked

-- NaN in a quantile
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY salary), min(salary), max(salary) FROM patients
--> asked

-- NaN in a maximum of one person
SELECT avg(m) FROM (SELECT patient_id, max(cost) AS m, min(cost) FROM visits GROUP BY patient_id) v
--> asked

-- A sum of one person's huge numbers
SELECT avg(s) FROM (SELECT patient_id, sum(cost) AS s FROM visits GROUP BY patient_id) v
--> asked

-- A sum of one person's huge integers
SELECT count(*) FROM (SELECT patient_id, sum(clinic_id) AS s FROM visits GROUP BY patient_id) v WHERE s > 5
--> asked

-- A window over one person's rows that overflows
SELECT count(*) FROM (SELECT sum(clinic_id) OVER (PARTITION BY patient_id) AS s FROM visits) v WHERE s > 5
--> asked

-- An average of one person's integers
SELECT count(*) FROM (SELECT patient_id, avg(clinic_id) AS a FROM visits GROUP BY patient_id) v WHERE a > 3
--> asked

-- Thousands of rows of one person
SELECT count(*), sum(cost) FROM visits
--> asked

-- Thousands of rows of one person, by kind
SELECT clinic_id, count(*), avg(cost) FROM visits GROUP BY clinic_id
--> asked

-- A join that multiplies one person's rows
SELECT count(*) FROM visits a JOIN visits b ON a.patient_id = b.patient_id
--> asked

-- A join that multiplies with public rows
SELECT count(*) FROM patients p JOIN clinics c ON c.beds > p.age
--> asked

-- A cross join with public rows
SELECT count(*), sum(p.age) FROM patients p CROSS JOIN clinics c
--> asked

-- UNION ALL with itself
SELECT count(*) FROM (SELECT patient_id FROM patients UNION ALL SELECT patient_id FROM patients) u
--> asked

-- A key that only one person has
SELECT disease, count(*) FROM patients GROUP BY disease
--> asked

-- A key that names one person
SELECT patient_id = 41 AS he, count(*) FROM patients GROUP BY 1
--> asked

-- A key outside the declared domain
SELECT age, count(*) FROM patients GROUP BY age
--> asked

-- A text outside the declared domain
SELECT region, count(*), count(DISTINCT disease) FROM patients GROUP BY region
--> asked

-- A key that is NaN
SELECT tip, count(*) FROM visits GROUP BY tip
--> asked

-- Long texts
SELECT count(*) FROM patients WHERE length(disease || disease || disease) > 100000
--> asked

-- Texts that look like patterns
SELECT count(*) FROM patients WHERE disease LIKE '%\%%' OR disease LIKE '_\__'
--> asked

-- Texts that look like SQL
SELECT count(*) FROM patients WHERE disease = ''';DROP TABLE patients;--' OR upper(disease) = '"'
--> asked

-- Positions inside texts
SELECT count(*) FROM patients WHERE substring(disease FROM age::integer FOR 2) = 'fl'
--> asked

-- Negative lengths
SELECT count(*) FROM patients WHERE left(disease, 30 - patient_id::integer) = 'f' OR right(disease, -2) = 'u'
--> asked

-- A negative length for substring raises in PostgreSQL
SELECT count(*) FROM patients WHERE substring(disease FROM 1 FOR 40 - patient_id::integer) = 'f'
--> asked

-- split_part with a field from the row
SELECT count(*) FROM patients WHERE split_part(disease, 'l', 2) = 'u'
--> asked

-- Those who are not in a list that only one person changes
SELECT count(*) FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM visits WHERE cost > 4900)
--> asked

-- A bucket of odd numbers
SELECT width_bucket(salary, 0, 100000, 4) AS bucket, count(*) FROM patients GROUP BY 1
--> asked

-- The unmatched share no partition
SELECT count(*) FROM (SELECT p.patient_id, row_number() OVER (PARTITION BY p.patient_id ORDER BY v.day) AS r FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id AND v.cost > 4999) x WHERE r = 1
--> asked

-- A count about one person
SELECT count(*) FROM patients WHERE patient_id = 41
--> asked

-- Two releases that differ in one person
SELECT (SELECT count(*) FROM patients) - (SELECT count(*) FROM patients WHERE patient_id <> 41) AS he
--> asked

-- One release inside another
SELECT count(*) FROM visits WHERE cost > (SELECT max(cost) FROM visits WHERE patient_id = 41)
--> asked

-- Decimals that overflow
SELECT sum(balance), count(balance * balance * balance) FROM patients
--> asked

-- Round odd numbers
SELECT count(*) FROM patients WHERE round(salary) + floor(salary) + ceil(salary) + trunc(salary) > 5
--> asked

-- GROUPING SETS over a key of one person
SELECT disease, region, count(*) FROM patients GROUP BY GROUPING SETS ((disease), (region))
--> asked

-- His rows, please
SELECT * FROM patients WHERE patient_id = 41
--> refused: rows

-- One column of his
SELECT disease FROM patients WHERE patient_id = 41
--> refused: rows

-- His rows in an order
SELECT disease FROM patients ORDER BY patient_id LIMIT 1
--> refused: LIMIT

-- His text in an aggregate
SELECT string_agg(disease, ',') FROM patients
--> refused: string_agg

-- His text as an array
SELECT array_agg(disease) FROM patients
--> refused: array_agg

-- Whatever is there
SELECT any_value(disease) FROM patients
--> refused: any_value

-- Group by the unit and show it
SELECT patient_id, count(*) FROM visits GROUP BY patient_id
--> refused: rows

-- Group by an expression of the unit is a release of its own
SELECT patient_id % 10 AS digit, count(*) FROM patients GROUP BY 1 HAVING count(*) > 1000000
--> asked

-- A join that does not equate the units
SELECT count(*) FROM patients a JOIN patients b ON a.age = b.age
--> refused: unit

-- A join that seems to equate the units
SELECT count(*) FROM patients a JOIN patients b ON a.patient_id = b.patient_id OR true
--> refused: unit

-- Is there anybody?
SELECT count(*) FROM patients WHERE EXISTS (SELECT 1 FROM visits WHERE patient_id = 41)
--> refused: unit

-- Uncorrelated IN
SELECT count(*) FROM patients WHERE 41 IN (SELECT patient_id FROM visits)
--> refused: unit

-- His value as a scalar
SELECT count(*) FROM patients WHERE age > (SELECT age FROM patients WHERE patient_id = 41)
--> refused:

-- Sleep when he is there
SELECT count(CASE WHEN patient_id = 41 THEN pg_sleep(5) END) FROM patients
--> refused: pg_sleep

-- Read a file
SELECT count(*) FROM patients WHERE pg_read_file('/etc/passwd') IS NOT NULL
--> refused: pg_read_file

-- Read a file as a table
SELECT * FROM read_csv('/etc/passwd')
--> refused: functions in FROM

-- A file as a table name
SELECT * FROM '/etc/passwd'
--> refused:

-- System tables
SELECT * FROM pg_stat_activity
--> refused: pg_stat_activity

-- The engine's own tables
SELECT * FROM duckdb_tables()
--> refused: functions in FROM

-- Statistics of columns
SELECT most_common_vals FROM pg_catalog.pg_stats
--> refused:

-- Information schema
SELECT table_name FROM information_schema.tables
--> refused:

-- Random numbers make averages
SELECT avg(age * random()) FROM patients
--> refused: random

-- The clock
SELECT count(*) FROM patients WHERE born < now()
--> refused: now

-- A setting of the engine
SELECT current_setting('memory_limit')
--> refused: current_setting

-- Set something
SET memory_limit = '1KB'
--> refused:

-- Copy it out
COPY patients TO '/tmp/out.csv'
--> refused: COPY

-- Write
INSERT INTO patients VALUES (1)
--> refused: INSERT

-- Two questions
SELECT count(*) FROM patients; SELECT count(*) FROM visits
--> refused: one

-- A text that grows with his row
SELECT count(*) FROM patients WHERE length(repeat('x', CASE WHEN patient_id = 41 THEN 2000000000 ELSE 1 END)) > 5
--> refused: repeat

-- Padding that grows with his row
SELECT count(*) FROM patients WHERE length(lpad('x', CASE WHEN patient_id = 41 THEN 2000000000 ELSE 1 END)) > 5
--> refused: lpad

-- Expensive patterns
SELECT count(*) FROM patients WHERE disease ~ '(a+)+$'
--> refused:

-- The rows of a table in an engine's way
SELECT count(*) FROM patients TABLESAMPLE SYSTEM (10)
--> refused:

-- A recursion that ends when he is not there
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r
--> refused: RECURSIVE

-- The row's own address
SELECT count(*) FROM patients WHERE rowid = 40
--> refused: rowid

-- A column that the policy does not have
SELECT count(*) FROM patients WHERE secret = 1
--> refused: secret

-- Full outer join with a public table
SELECT count(*) FROM clinics c LEFT JOIN visits v ON v.clinic_id = c.clinic_id
--> refused:

-- The difference of tagged relations
SELECT count(*) FROM (SELECT patient_id FROM patients EXCEPT SELECT patient_id FROM visits) x
--> refused: EXCEPT

-- LIMIT before the aggregate
SELECT count(*) FROM (SELECT age FROM patients ORDER BY salary LIMIT 1) x WHERE age > 50
--> refused: LIMIT

-- DISTINCT ON before the aggregate
SELECT count(*) FROM (SELECT DISTINCT ON (region) age FROM patients ORDER BY region, salary) x
--> refused: DISTINCT

-- A window over everybody
SELECT avg(r) FROM (SELECT rank() OVER (ORDER BY salary) AS r FROM patients) x
--> refused: PARTITION

-- A sum without bounds
SELECT sum(tip) FROM visits
--> refused: bounds

-- The first value of all
SELECT first_value(disease) OVER (ORDER BY age) FROM patients
--> refused:

-- A relation that doubles with every level, until the statement would be huge
WITH a AS (SELECT patient_id, cost FROM visits), b AS (SELECT * FROM a UNION ALL SELECT * FROM a), c AS (SELECT * FROM b UNION ALL SELECT * FROM b), d AS (SELECT * FROM c UNION ALL SELECT * FROM c), e AS (SELECT * FROM d UNION ALL SELECT * FROM d), f AS (SELECT * FROM e UNION ALL SELECT * FROM e), g AS (SELECT * FROM f UNION ALL SELECT * FROM f), h AS (SELECT * FROM g UNION ALL SELECT * FROM g), i AS (SELECT * FROM h UNION ALL SELECT * FROM h), j AS (SELECT * FROM i UNION ALL SELECT * FROM i), k AS (SELECT * FROM j UNION ALL SELECT * FROM j), l AS (SELECT * FROM k UNION ALL SELECT * FROM k), m AS (SELECT * FROM l UNION ALL SELECT * FROM l) SELECT count(*) FROM m
--> refused: too large

-- A join that squares one person's rows with every level: the engine would never end
WITH a AS (SELECT patient_id, cost FROM visits), b AS (SELECT x.patient_id, x.cost FROM a x JOIN a y ON x.patient_id = y.patient_id), c AS (SELECT x.patient_id, x.cost FROM b x JOIN b y ON x.patient_id = y.patient_id), d AS (SELECT x.patient_id, x.cost FROM c x JOIN c y ON x.patient_id = y.patient_id), e AS (SELECT x.patient_id, x.cost FROM d x JOIN d y ON x.patient_id = y.patient_id), f AS (SELECT x.patient_id, x.cost FROM e x JOIN e y ON x.patient_id = y.patient_id), g AS (SELECT x.patient_id, x.cost FROM f x JOIN f y ON x.patient_id = y.patient_id), h AS (SELECT x.patient_id, x.cost FROM g x JOIN g y ON x.patient_id = y.patient_id), i AS (SELECT x.patient_id, x.cost FROM h x JOIN h y ON x.patient_id = y.patient_id), j AS (SELECT x.patient_id, x.cost FROM i x JOIN i y ON x.patient_id = y.patient_id), k AS (SELECT x.patient_id, x.cost FROM j x JOIN j y ON x.patient_id = y.patient_id), l AS (SELECT x.patient_id, x.cost FROM k x JOIN k y ON x.patient_id = y.patient_id), m AS (SELECT x.patient_id, x.cost FROM l x JOIN l y ON x.patient_id = y.patient_id) SELECT count(*) FROM m
--> refused: joins multiply private rows

-- The same with released numbers
WITH a AS (SELECT region, count(*) AS n FROM patients GROUP BY region), b AS (SELECT x.region, x.n FROM a x JOIN a y ON x.region = y.region), c AS (SELECT x.region, x.n FROM b x JOIN b y ON x.region = y.region), d AS (SELECT x.region, x.n FROM c x JOIN c y ON x.region = y.region), e AS (SELECT x.region, x.n FROM d x JOIN d y ON x.region = y.region), f AS (SELECT x.region, x.n FROM e x JOIN e y ON x.region = y.region), g AS (SELECT x.region, x.n FROM f x JOIN f y ON x.region = y.region), h AS (SELECT x.region, x.n FROM g x JOIN g y ON x.region = y.region), i AS (SELECT x.region, x.n FROM h x JOIN h y ON x.region = y.region), j AS (SELECT x.region, x.n FROM i x JOIN i y ON x.region = y.region), k AS (SELECT x.region, x.n FROM j x JOIN j y ON x.region = y.region), l AS (SELECT x.region, x.n FROM k x JOIN k y ON x.region = y.region), m AS (SELECT x.region, x.n FROM l x JOIN l y ON x.region = y.region), n AS (SELECT x.region, x.n FROM m x JOIN m y ON x.region = y.region), o AS (SELECT x.region, x.n FROM n x JOIN n y ON x.region = y.region) SELECT * FROM o
--> refused: too large
