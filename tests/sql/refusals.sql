--- What is refused, in which words and where. See test_questions.c for the tables and the form of a block. Add yours.

--- Raw rows.

-- raw rows
SELECT age, region FROM patients
--> refused: would show private rows
--> at: age

-- a star returns rows
SELECT * FROM patients
--> refused: would show private rows
--> at: *

-- a star of one table returns rows
SELECT p.* FROM patients p JOIN visits v ON v.patient_id = p.patient_id
--> refused: would show private rows
--> at: p.*

-- one row for each unit is still a row of a person
SELECT patient_id, count(*) FROM visits GROUP BY patient_id
--> refused: would show private rows
--> at: patient_id

-- rows behind a sub-select and a CTE
WITH rows AS (SELECT * FROM patients) SELECT disease FROM (SELECT * FROM rows) AS r
--> refused: would show private rows
--> at: disease

-- a window by unit shows rows
SELECT row_number() OVER (PARTITION BY patient_id ORDER BY day) FROM visits
--> refused: would show private rows
--> at: row_number

-- UNION ALL of private rows shows rows
SELECT patient_id FROM visits UNION ALL SELECT patient_id FROM readings
--> refused: would show private rows
--> at: patient_id

-- filtering by a person does not make it a number
SELECT salary FROM patients WHERE patient_id = 7
--> refused: would show private rows
--> at: salary

-- DISTINCT shows values
SELECT DISTINCT disease FROM patients
--> refused: count(*)
--> at: disease

-- DISTINCT of several columns without the unit
SELECT count(*) FROM (SELECT DISTINCT region, disease FROM patients) AS d
--> refused: SELECT DISTINCT would show values
--> at: region

-- DISTINCT with the unit is rows of people
SELECT DISTINCT patient_id, clinic_id FROM visits
--> refused: would show private rows

--- Joins of private tables.

-- a join without the unit
SELECT count(*) FROM patients p JOIN visits v ON p.age = v.clinic_id
--> refused: must equate their units
--> at: = v.clinic_id

-- the unit against another column
SELECT count(*) FROM patients p JOIN visits v ON p.patient_id = v.clinic_id
--> refused: must equate their units

-- OR true beside the equality of units
SELECT count(*) FROM patients p JOIN visits v ON p.patient_id = v.patient_id OR true
--> refused: must equate their units

-- the equality of units under NOT
SELECT count(*) FROM patients p JOIN visits v ON NOT (p.patient_id = v.patient_id)
--> refused: must equate their units

-- inequality of units: every pair of people
SELECT count(*) FROM patients a JOIN patients b ON a.patient_id < b.patient_id
--> refused: must equate their units

-- expressions of the unit
SELECT count(*) FROM patients p JOIN visits v ON p.patient_id + 0 = v.patient_id + 0
--> refused: must equate their units

-- the units equated by way of a cast
SELECT count(*) FROM patients p JOIN visits v ON p.patient_id::text = v.patient_id::text
--> refused: must equate their units

-- IS NOT DISTINCT FROM is no equality that can be read
SELECT count(*) FROM patients p JOIN visits v ON (p.patient_id = v.patient_id) IS NOT FALSE
--> refused: must equate their units

-- CASE around the equality
SELECT count(*) FROM patients p JOIN visits v ON CASE WHEN p.age > 5 THEN p.patient_id = v.patient_id ELSE true END
--> refused: must equate their units

-- USING another column
SELECT count(*) FROM visits JOIN readings USING (day)
--> refused: must equate their units
--> at: readings

-- a cross join of private tables
SELECT count(*) FROM patients CROSS JOIN visits
--> refused: must equate their units
--> at: visits

-- a comma join of private tables
SELECT count(*) FROM patients, visits
--> refused: must equate their units
--> at: visits

-- a comma join whose WHERE has the equality under OR
SELECT count(*) FROM patients p, visits v WHERE p.patient_id = v.patient_id OR p.age = 3
--> refused: must equate their units

-- a self-join on a column that many people share
SELECT count(*) FROM patients a JOIN patients b ON a.region = b.region
--> refused: must equate their units

-- a self-join of rows that are their own units
SELECT count(*) FROM events a JOIN events b ON a.size = b.size
--> refused: must equate their units

-- different kinds of units
SELECT count(*) FROM patients p JOIN customers c ON p.patient_id = c.household
--> refused: one kind of unit

-- rows of different tables are never the same unit
SELECT count(*) FROM events e JOIN patients p ON e.size = p.age
--> refused: one kind of unit

-- a key of two columns needs both
SELECT count(*) FROM items i JOIN orders o ON i.order_number = o.number
--> refused: all columns of a declared key

-- the parts of a key crosswise
SELECT count(*) FROM items i JOIN parcels p ON i.shop = p.shop AND i.order_number = p.weight
--> refused: all columns of a declared key

-- a key that points to another table
SELECT count(*) FROM orders o JOIN customers c ON o.number = c.id
--> refused: must equate their units

-- siblings that do not agree in the parent's key
SELECT count(*) FROM orders a JOIN orders b ON a.shop = b.shop
--> refused: must equate their units

-- after a LEFT JOIN the other side's unit is not the unit: joining by it
SELECT count(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id JOIN readings r ON r.patient_id = v.patient_id
--> refused: must equate their units

-- FULL JOIN of private tables
SELECT count(*) FROM patients p FULL JOIN visits v ON p.patient_id = v.patient_id
--> refused: FULL JOIN of private tables is not supported

-- a key that the owner has not proved unique
SELECT count(*) FROM letters
--> refused: the owner has not proved that writers.id is unique: dither check --data
--> at: letters

--- Joins with public tables.

-- a LEFT JOIN that preserves the public side
SELECT c.city, count(v.cost) FROM clinics c LEFT JOIN visits v ON v.clinic_id = c.clinic_id GROUP BY c.city
--> refused: must preserve the private side

-- a RIGHT JOIN that preserves the public side
SELECT count(*) FROM visits v RIGHT JOIN clinics c ON v.clinic_id = c.clinic_id
--> refused: must preserve the private side

-- a FULL JOIN with a public table
SELECT count(*) FROM visits v FULL JOIN clinics c ON v.clinic_id = c.clinic_id
--> refused: must preserve the private side

-- preserving a release against private rows
SELECT count(*) FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r LEFT JOIN patients p ON p.region = r.region
--> refused: must preserve the private side

-- public rows chosen by private ones
SELECT city FROM clinics c WHERE EXISTS (SELECT 1 FROM visits v WHERE v.clinic_id = c.clinic_id)
--> refused: cannot be chosen by the rows of a private table
--> at: EXISTS

-- public rows chosen by private ones, with IN
SELECT count(*) FROM clinics WHERE clinic_id IN (SELECT clinic_id FROM visits)
--> refused: cannot be chosen by the rows of a private table

-- a release chosen by private rows
SELECT n FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r WHERE region IN (SELECT region FROM patients WHERE age > 90)
--> refused: cannot be chosen by the rows of a private table

-- joins that multiply rows again and again
SELECT count(*) FROM patients, clinics a, clinics b, clinics c, clinics d, clinics e, clinics f, clinics g, clinics h, clinics i
--> refused: more than 8 joins multiply private rows
--> at: clinics i

-- and of private rows
SELECT count(*) FROM visits a JOIN visits b USING (patient_id) JOIN visits c USING (patient_id) JOIN visits d USING (patient_id) JOIN visits e USING (patient_id) JOIN visits f USING (patient_id) JOIN visits g USING (patient_id) JOIN visits h USING (patient_id) JOIN visits i USING (patient_id) JOIN visits j USING (patient_id)
--> refused: more than 8 joins multiply private rows

-- CTEs that name each other twice, and double at every level
WITH a0 AS (SELECT patient_id FROM patients), a1 AS (SELECT x.patient_id FROM a0 x JOIN a0 y USING (patient_id)), a2 AS (SELECT x.patient_id FROM a1 x JOIN a1 y USING (patient_id)), a3 AS (SELECT x.patient_id FROM a2 x JOIN a2 y USING (patient_id)), a4 AS (SELECT x.patient_id FROM a3 x JOIN a3 y USING (patient_id)), a5 AS (SELECT x.patient_id FROM a4 x JOIN a4 y USING (patient_id)), a6 AS (SELECT x.patient_id FROM a5 x JOIN a5 y USING (patient_id)), a7 AS (SELECT x.patient_id FROM a6 x JOIN a6 y USING (patient_id)), a8 AS (SELECT x.patient_id FROM a7 x JOIN a7 y USING (patient_id)), a9 AS (SELECT x.patient_id FROM a8 x JOIN a8 y USING (patient_id)), a10 AS (SELECT x.patient_id FROM a9 x JOIN a9 y USING (patient_id)), a11 AS (SELECT x.patient_id FROM a10 x JOIN a10 y USING (patient_id)), a12 AS (SELECT x.patient_id FROM a11 x JOIN a11 y USING (patient_id)), a13 AS (SELECT x.patient_id FROM a12 x JOIN a12 y USING (patient_id)) SELECT count(*) FROM a13
--> refused: the question is too large: with each part counted as often as it is named

--- Grouping by what is not the unit.

-- grouping by an expression of the unit, then showing rows through it
SELECT avg(n) FROM (SELECT patient_id % 10 AS d, count(*) AS n FROM visits GROUP BY patient_id % 10, patient_id) x GROUP BY y
--> refused: column "y" does not exist
--> at: y

-- ROLLUP over the unit
SELECT avg(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY ROLLUP (patient_id)) x
--> refused: over the unit
--> at: ROLLUP

-- CUBE over the unit and another key
SELECT avg(n) FROM (SELECT patient_id, clinic_id, count(*) AS n FROM visits GROUP BY CUBE (patient_id, clinic_id)) x
--> refused: over the unit

-- GROUPING SETS of which one lacks the unit
SELECT avg(n) FROM (SELECT count(*) AS n FROM visits GROUP BY GROUPING SETS ((patient_id, day), (day))) x
--> refused: over the unit

-- a window across units
SELECT avg(r) FROM (SELECT row_number() OVER (ORDER BY salary) AS r FROM patients) x
--> refused: add PARTITION BY patient_id
--> at: row_number

-- a window by a column that many people share
SELECT avg(r) FROM (SELECT rank() OVER (PARTITION BY region ORDER BY salary) AS r FROM patients) x
--> refused: add PARTITION BY patient_id

-- a window by an expression of the unit
SELECT avg(r) FROM (SELECT rank() OVER (PARTITION BY patient_id % 10 ORDER BY day) AS r FROM visits) x
--> refused: add PARTITION BY patient_id

-- a window by the other side's unit after a LEFT JOIN
SELECT avg(r) FROM (SELECT count(*) OVER (PARTITION BY v.patient_id) AS r FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id) x
--> refused: add PARTITION BY patient_id

-- a window by a column that an alias makes look like the unit
SELECT avg(r) FROM (SELECT count(*) OVER (PARTITION BY patient_id) AS r FROM (SELECT region AS patient_id FROM patients) p) x
--> refused: add PARTITION BY patient_id

-- a window over the rows of each their own unit
SELECT avg(r) FROM (SELECT row_number() OVER (PARTITION BY kind ORDER BY size) AS r FROM events) x
--> refused: must not reach across units

-- the last of the rows of one rank
SELECT avg(c) FROM (SELECT last_value(cost) OVER (PARTITION BY patient_id ORDER BY day) AS c FROM visits) x
--> refused: could be any of them

-- texts joined in the order of the rows
SELECT count(*) FROM (SELECT patient_id, string_agg(reason, ',') AS s FROM visits GROUP BY patient_id) x
--> refused: string_agg of one unit's own rows is not supported

-- variances of a unit's own rows depend on their order
SELECT avg(s) FROM (SELECT patient_id, stddev(cost) AS s FROM visits GROUP BY patient_id) x
--> refused: stddev_samp of one unit's own rows is not supported

-- a sum of reals without bounds inside a tagged step
SELECT avg(least(w, 10)) FROM (SELECT patient_id, sum(weight) AS w FROM patients GROUP BY patient_id) x
--> refused: bounds of what is added up

--- IN and EXISTS.

-- an uncorrelated EXISTS over private rows
SELECT count(*) FROM patients WHERE EXISTS (SELECT 1 FROM visits WHERE cost > 4000)
--> refused: must equate the units
--> at: EXISTS

-- an uncorrelated NOT EXISTS
SELECT count(*) FROM patients WHERE NOT EXISTS (SELECT 1 FROM visits WHERE patient_id = 7)
--> refused: must equate the units
--> at: EXISTS

-- IN over a column that is not the unit
SELECT count(*) FROM patients WHERE home_clinic IN (SELECT clinic_id FROM visits)
--> refused: must equate the units
--> at: IN

-- NOT IN over a column that is not the unit
SELECT count(*) FROM patients WHERE home_clinic NOT IN (SELECT clinic_id FROM visits)
--> refused: must equate the units

-- IN with the unit on one side alone
SELECT count(*) FROM patients WHERE age IN (SELECT patient_id FROM visits)
--> refused: must equate the units

-- EXISTS that equates units under OR
SELECT count(*) FROM patients p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id OR v.cost > 0)
--> refused: must equate the units

-- IN over the other side's unit after a LEFT JOIN
SELECT count(*) FROM readings WHERE patient_id IN (SELECT v.patient_id FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id)
--> refused: must equate the units

-- IN over another kind of unit
SELECT count(*) FROM patients WHERE patient_id IN (SELECT household FROM customers)
--> refused: one kind of unit

-- IN over a private table within OR
SELECT count(*) FROM patients WHERE age > 90 OR patient_id IN (SELECT patient_id FROM visits)
--> refused: not within OR
--> at: IN

-- EXISTS over a private table within CASE
SELECT sum(CASE WHEN EXISTS (SELECT 1 FROM visits) THEN 1 ELSE 0 END) FROM patients
--> refused: must give one value that is released or public

-- a comparison with ANY other than =
SELECT count(*) FROM patients WHERE age > ANY (SELECT age FROM patients)
--> refused: compares with =

-- IN with too many columns
SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id, day FROM visits)
--> refused: subquery has too many columns

--- Scalar sub-selects.

-- a scalar sub-select of private rows
SELECT count(*) FROM patients WHERE salary > (SELECT salary FROM patients WHERE patient_id = 7)
--> refused: must give one value that is released or public
--> at: (SELECT salary

-- a scalar sub-select for each unit
SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) > 3
--> refused: belongs to the query around this sub-select
--> at: p.patient_id

-- a release that depends on the query around it
SELECT r.region, (SELECT count(*) FROM patients p WHERE p.region = r.region) FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r
--> refused: belongs to the query around this sub-select
--> at: r.region)

-- a scalar sub-select with two columns
SELECT (SELECT count(*), sum(age) FROM patients)
--> refused: subquery must return only one column

--- Before aggregation.

-- LIMIT before aggregation
SELECT avg(salary) FROM (SELECT salary FROM patients ORDER BY salary DESC LIMIT 1) x
--> refused: LIMIT and OFFSET before aggregation
--> at: 1

-- OFFSET before aggregation
SELECT avg(salary) FROM (SELECT salary FROM patients OFFSET 10) x
--> refused: LIMIT and OFFSET before aggregation

-- FETCH before aggregation
SELECT avg(salary) FROM (SELECT salary FROM patients FETCH FIRST 5 ROWS ONLY) x
--> refused: LIMIT and OFFSET before aggregation

-- DISTINCT ON before aggregation
SELECT avg(cost) FROM (SELECT DISTINCT ON (patient_id) patient_id, cost FROM visits ORDER BY patient_id, day) x
--> refused: DISTINCT ON before aggregation

-- EXCEPT of private rows
SELECT count(*) FROM (SELECT patient_id FROM patients EXCEPT SELECT patient_id FROM visits) x
--> refused: EXCEPT of private rows

-- INTERSECT of private rows
SELECT count(*) FROM (SELECT patient_id FROM patients INTERSECT SELECT patient_id FROM visits) x
--> refused: INTERSECT of private rows

-- UNION that merges equal values of different people
SELECT count(*) FROM (SELECT age FROM patients UNION SELECT pulse FROM readings) x
--> refused: SELECT DISTINCT would show values

-- UNION ALL of private rows with public ones
SELECT count(*) FROM (SELECT clinic_id FROM visits UNION ALL SELECT clinic_id FROM clinics) x
--> refused: aggregate the private side first

-- UNION ALL of different kinds of units
SELECT count(*) FROM (SELECT patient_id FROM patients UNION ALL SELECT household FROM customers) x
--> refused: one kind of unit

-- TABLESAMPLE
SELECT count(*) FROM patients TABLESAMPLE SYSTEM (10)
--> refused: TABLESAMPLE is not supported

-- LATERAL
SELECT count(*) FROM patients p, LATERAL (SELECT * FROM visits v WHERE v.patient_id = p.patient_id) x
--> refused: LATERAL is not supported

-- WITH RECURSIVE
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t
--> refused: WITH RECURSIVE is not supported
--> at: WITH

--- Names.

-- a misspelt column
SELECT avg(agee) FROM patients
--> refused: column "agee" does not exist; did you mean "age"?
--> at: agee

-- a column of the engine that the policy does not name
SELECT count(rowid) FROM patients
--> refused: column "rowid" does not exist
--> at: rowid

-- the hidden tag cannot be named
SELECT count(tag) FROM visits
--> refused: column "tag" does not exist
--> at: tag

-- a qualified column that is not there
SELECT avg(p.pulse) FROM patients p
--> refused: column p.pulse does not exist

-- a table that is not in FROM
SELECT avg(v.cost) FROM patients p
--> refused: missing FROM-clause entry for table "v"
--> at: v.cost

-- the table's own name behind an alias
SELECT avg(patients.age) FROM patients p
--> refused: missing FROM-clause entry for table "patients"

-- an ambiguous column
SELECT count(*) FROM visits v JOIN readings r ON v.patient_id = r.patient_id WHERE day > '2025-01-01'
--> refused: column reference "day" is ambiguous
--> at: day

-- a table name twice
SELECT count(*) FROM visits JOIN visits ON true
--> refused: table name "visits" specified more than once

-- a misspelt table
SELECT count(*) FROM patient
--> refused: relation "patient" does not exist; did you mean "patients"?
--> at: patient

-- a system table does not exist
SELECT count(*) FROM pg_class
--> refused: relation "pg_class" does not exist
--> at: pg_class

-- nor does the engine's list of tables
SELECT * FROM sqlite_master
--> refused: relation "sqlite_master" does not exist

-- nor a qualified one
SELECT count(*) FROM information_schema.tables
--> refused: relation "information_schema.tables" does not exist
--> at: information_schema

-- a zone that there is not
SELECT '2024-02-29 12:30:00+16'::timestamp
--> refused: invalid input for type timestamp

-- a sign within a date is no zone
SELECT '2024-02-29-05'::date
--> refused: invalid input for type date

-- nor a known table in a schema that is not public
SELECT count(*) FROM hospital.patients
--> refused: relation "hospital.patients" does not exist; tables are in the schema public alone
--> at: hospital

-- nor an unknown one in the schema public
SELECT count(*) FROM public.patient
--> refused: relation "public.patient" does not exist; did you mean "patients"?
--> at: public

-- nor a table of another database
SELECT count(*) FROM hospital.public.patients
--> refused: cross-database references are not implemented: "hospital.public.patients"
--> at: hospital

-- a CTE has no schema
WITH few AS (SELECT count(*) AS n FROM patients) SELECT n FROM public.few
--> refused: relation "public.few" does not exist

-- nor has its column
WITH patients AS (SELECT count(*) AS n FROM public.patients) SELECT public.patients.n FROM patients
--> refused: missing FROM-clause entry for table "patients"
--> at: public

-- behind an alias the table's own name is gone
SELECT count(public.patients.age) FROM public.patients AS p
--> refused: missing FROM-clause entry for table "patients"

-- a column in another schema
SELECT count(hospital.patients.age) FROM patients
--> refused: names of columns are column, table.column or public.table.column

-- file functions
SELECT count(*) FROM read_csv('/etc/passwd')
--> refused: functions in FROM are not supported

-- a file as a table
SELECT count(*) FROM "/etc/passwd"
--> refused: relation "/etc/passwd" does not exist

-- generate_series
SELECT count(*) FROM generate_series(1, 10)
--> refused: functions in FROM are not supported

-- a CTE is not in sight of itself
WITH a AS (SELECT * FROM a) SELECT count(*) FROM a
--> refused: relation "a" does not exist

-- nor of those before it
WITH a AS (SELECT * FROM b), b AS (SELECT 1 AS x) SELECT count(*) FROM a
--> refused: relation "b" does not exist

-- mistakes in a CTE that nobody names
WITH a AS (SELECT agee FROM patients) SELECT count(*) FROM patients
--> refused: column "agee" does not exist

-- USING a column that one side lacks
SELECT count(*) FROM patients JOIN visits USING (age)
--> refused: column "age" specified in USING clause does not exist in right table

--- Grouping, ordering and windows as PostgreSQL has them.

-- a column outside GROUP BY
SELECT region, age, count(*) FROM patients GROUP BY region
--> refused: column "age" must appear in the GROUP BY clause or be used in an aggregate function
--> at: age

-- a column outside GROUP BY in HAVING
SELECT region, count(*) FROM patients GROUP BY region HAVING age > 3
--> refused: column "age" must appear in the GROUP BY clause

-- a star with GROUP BY
SELECT *, count(*) FROM patients GROUP BY region
--> refused: must appear in the GROUP BY clause

-- an alias that hides the unit: the input's column comes first
SELECT age AS patient_id, count(*) FROM patients GROUP BY patient_id
--> refused: column "age" must appear in the GROUP BY clause

-- an aggregate in WHERE
SELECT region FROM patients WHERE count(*) > 3 GROUP BY region
--> refused: aggregate functions are not allowed in WHERE
--> at: count

-- an aggregate in GROUP BY
SELECT count(*) FROM patients GROUP BY sum(age)
--> refused: aggregate functions are not allowed in GROUP BY

-- an aggregate within an aggregate
SELECT sum(count(*)) FROM patients
--> refused: aggregate functions are not allowed in
--> at: count

-- a window in WHERE
SELECT count(*) FROM patients WHERE row_number() OVER () = 1
--> refused: window functions are not allowed in WHERE

-- a window in HAVING
SELECT region FROM patients GROUP BY region HAVING rank() OVER () = 1
--> refused: window functions are not allowed in HAVING

-- a position that is not there
SELECT region, count(*) FROM patients GROUP BY 3
--> refused: GROUP BY position 3 is not in select list
--> at: 3

-- a position of an aggregate
SELECT count(*) FROM patients GROUP BY 1
--> refused: aggregate functions are not allowed in GROUP BY

-- an order by what is not there
SELECT region, count(*) FROM patients GROUP BY region ORDER BY 5
--> refused: ORDER BY position 5 is not in select list

-- an order by a name that two columns have
SELECT region, count(*) AS n, avg(age) AS n FROM patients GROUP BY region ORDER BY n
--> refused: ORDER BY "n" is ambiguous
--> at: n

-- a frame that reaches further than any row
SELECT avg(n) FROM (SELECT count(*) OVER (PARTITION BY patient_id ORDER BY day ROWS 9000000000000000000 PRECEDING) AS n FROM visits) v
--> refused: the offset of a window's frame

-- SELECT DISTINCT ordered by something else
SELECT DISTINCT n FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r ORDER BY region
--> refused: ORDER BY expressions must appear in select list

-- a window that nobody defined
SELECT region, rank() OVER w FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r
--> refused: window "w" does not exist

-- LIMIT by a column
SELECT region, count(*) AS n FROM patients GROUP BY region LIMIT n
--> refused: column "n" does not exist

-- a negative LIMIT
SELECT region, count(*) FROM patients GROUP BY region LIMIT -1
--> refused: not negative

-- WITH TIES
SELECT region, count(*) AS n FROM patients GROUP BY region ORDER BY n FETCH FIRST 1 ROW WITH TIES
--> refused: WITH TIES is not supported

-- sets of different width
SELECT count(*) FROM patients UNION ALL SELECT count(*), 1 FROM patients
--> refused: same number of columns

-- sets of types that do not match
SELECT count(*) FROM patients UNION ALL SELECT true
--> refused: cannot be matched

-- VALUES of different lengths
SELECT count(*) FROM (VALUES (1, 2), (3)) AS v
--> refused: VALUES lists must all be the same length

-- a condition that is no condition
SELECT count(*) FROM patients WHERE age
--> refused: must be type boolean, not type bigint
--> at: age

-- sum of texts
SELECT sum(disease) FROM patients
--> refused: sum
--> at: sum

-- nothing to select
SELECT FROM patients
--> refused: something to select

-- GROUPING of what is no key
SELECT region, grouping(age), count(*) FROM patients GROUP BY ROLLUP (region)
--> refused: arguments to GROUPING must be grouping expressions
--> at: age

-- BigQuery's bounds where nothing is released
SELECT sum(n, contribution_bounds_per_group => (0, 3)) FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r
--> refused: belong to a release

-- an argument that aggregates do not have
SELECT sum(age, colour => 3) FROM patients
--> refused: aggregates have no argument "colour"
--> at: colour

-- Intervals that compare as equal and are not, as keys of a unit's own groups
SELECT count(*) FROM (SELECT patient_id, iv, count(*) AS n FROM (SELECT patient_id, CASE WHEN cost > 9 THEN INTERVAL '1 month' ELSE INTERVAL '30 days' END AS iv FROM visits) v GROUP BY patient_id, iv) w
--> refused: GROUP BY of intervals of one unit's own rows is not supported

-- The same in the partition of a window
SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY patient_id, iv) AS n FROM (SELECT patient_id, CASE WHEN cost > 9 THEN INTERVAL '1 month' ELSE INTERVAL '30 days' END AS iv FROM visits) v) w
--> refused: over private rows with an interval column

--- Hints that can be followed.

-- a text has no range: the hint is bounds of the analyst's own
SELECT sum(length(disease)) FROM patients
--> refused: has no bounds: write sum(length(disease), contribution_bounds_per_group => (0, 1000)) or greatest(least(
--> at: sum

-- several shares at once are several calls
SELECT percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY age) FROM patients
--> refused: calls over the same values share one price
--> at: ARRAY
