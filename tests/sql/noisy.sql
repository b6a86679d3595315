--# Questions with their noise (tests/curator/test_noisy.c), each drawn many times at epsilon 0.5.
--# "COLUMN: MECHANISM, scale S, grid G, truth T": the stated noise, worked out by hand from the policy of
--# tests/support/small_hospital.h, and the true answer, counted by hand. The answers must lie on the grid, around the truth, as far as
--# the scale says, and their 95% intervals must hold the truth as often as they say.
--# "COLUMN: derived, truth T": a number made of several noisy ones; its interval must hold the truth as often as it says.

-- People: one person moves the count by 1
SELECT count(*) AS n FROM patients
--> n: geometric, scale 2, grid 1, truth 40

-- Visits: at most eight rows of one person
SELECT count(*) AS n FROM visits
--> n: geometric, scale 16, grid 1, truth 100

-- People with visits: each counts once
SELECT count(DISTINCT patient_id) AS n FROM visits
--> n: geometric, scale 2, grid 1, truth 34

-- Different values: at most eight of one person
SELECT count(DISTINCT kind) AS n FROM visits
--> n: geometric, scale 16, grid 1, truth 3

-- A filter changes nothing about the noise
SELECT count(*) FILTER (WHERE insured) AS n FROM patients
--> n: geometric, scale 2, grid 1, truth 27

-- A sum of numbers of both signs: 24 rows of at most 100 each
SELECT sum(price) AS s FROM items WHERE false
--> s: geometric, scale 4800, grid 1, truth 0

-- A sum of reals, on the grid of their range: eight rows of at most 5000
SELECT sum(cost) AS s FROM visits WHERE false
--> s: geometric, scale 80000, grid 0.0625, truth 0

-- A multiple has a multiple of the noise
SELECT 3 * count(*) AS n FROM patients
--> n: geometric, scale 6, grid 3, truth 120

-- Bounds of one person's contribution replace rows times range
SELECT sum(price, contribution_bounds_per_group => (-50, 20)) AS s FROM items WHERE false
--> s: geometric, scale 100, grid 1, truth 0

-- Two aggregates share the epsilon equally when their noise is alike
SELECT count(*) FILTER (WHERE age > 200) AS a, count(*) FILTER (WHERE age > 300) AS b FROM patients
--> a: geometric, scale 4, grid 1, truth 0
--> b: geometric, scale 4, grid 1, truth 0

-- A sum of four noisy numbers is as uncertain as four
SELECT sum(n) AS s FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) r
--> s: derived, truth 40

-- A difference of two releases
SELECT (SELECT count(*) FROM patients) - (SELECT count(*) FROM visits) AS d
--> d: derived, truth -60

-- A share of the whole
SELECT count(*) FILTER (WHERE insured) / (count(*) + 1000.0) AS share FROM patients
--> share: derived, truth 0.0259615384615384615

-- An average, whose count is noisy too
SELECT avg(level) AS a FROM customers
--> a: derived, truth 2.05
