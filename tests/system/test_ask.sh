#!/usr/bin/env bash
# Shows `dither ask` as people use it: answers in three formats, from an argument, a file and standard input; what an answer
# costs, and that the same one is free; whose limit is hit; where a refusal points. True values are counted by awk.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"

# A huge epsilon: the numbers are the true ones.
expect 0 ask noiseless.yaml "SELECT region, count(*) AS n FROM patients GROUP BY region ORDER BY region" --format csv
awk -F , 'NR > 1 { n[$3]++ } END { for (r in n) print r "," n[r] }' patients.csv | sort >"$work/truth"
tail -n +2 "$work/out" | cut -d , -f 1,2 | cmp -s - "$work/truth" || complain "wrong counts: $(cat "$work/out") $(cat "$work/truth")"
expect 0 ask noiseless.yaml "SELECT count(*) FROM visits v JOIN patients p USING (patient_id) WHERE p.age >= 65" --max-groups 1 --format csv
# each patient counts with at most six visits
truth=$(awk -F , 'NR == FNR { age[$1] = $2; next } FNR > 1 && age[$2] >= 65 && n[$2]++ < 6 { total++ } END { print total }' patients.csv visits.csv)
[ "$(sed -n 2p "$work/out" | cut -d , -f 1)" = "$truth" ] || complain "not $truth: $(cat "$work/out")"

# The same from a file and from standard input.
echo "$one_count" >question.sql
expect 0 ask noiseless.yaml --file question.sql --format csv
cp "$work/out" "$work/first"
sed -n 2p "$work/out" | grep -q '^2000\b' || complain "not 2000 patients: $(cat "$work/out")"
"$DITHER" ask noiseless.yaml - --format csv <question.sql >"$work/out" || complain "standard input is not read"
cmp -s "$work/out" "$work/first" || complain "standard input and file differ"

# What an answer costs; the same question is free, and has the same answer; another one is not.
expect 0 ask hospital.yaml "$one_count" --epsilon 0.25 --format json
for part in '"columns":' '"name": "n"' '"type": "bigint"' '"noise":' '"rows":' '"intervals":' '"confidence": 0.95' '"cached": false'; do
    prints "$part"
done
[ "$(spent hospital.yaml)" = 0.25 ] || complain "0.25 is not charged but $(spent hospital.yaml)"
sed 's/.*"rows": \(\[\[[^]]*\]\]\).*/\1/' "$work/out" >"$work/rows"
expect 0 ask hospital.yaml "$one_count" --epsilon 0.25 --format json
prints '"cached": true'
sed 's/.*"rows": \(\[\[[^]]*\]\]\).*/\1/' "$work/out" | cmp -s - "$work/rows" || complain "the same question, another answer"
[ "$(spent hospital.yaml)" = 0.25 ] || complain "the same question was charged twice"
expect 0 ask hospital.yaml "$one_count" --epsilon 0.125
[ "$(spent hospital.yaml)" = 0.375 ] || complain "another epsilon is another release"
prints n
expect 0 ask hospital.yaml "SELECT 1 + 1 AS two"
[ "$(spent hospital.yaml)" = 0.375 ] || complain "what asks nothing costs something"

# For people: +- or its sign, as the locale has it.
LC_ALL=C expect 0 ask hospital.yaml "$one_count" --epsilon 0.25
prints '+-'
LC_ALL=C.UTF-8 expect 0 ask hospital.yaml "$one_count" --epsilon 0.25
prints '±'

# Retries: one id, one question, one analyst.
expect 0 ask hospital.yaml "SELECT count(*) FROM visits" --analyst alice --request r1 --epsilon 0.5 --format json
cp "$work/out" "$work/first"
expect 0 ask hospital.yaml "SELECT count(*) FROM visits" --analyst alice --request r1 --epsilon 0.5 --format json
sed 's/"cost".*//' "$work/first" >"$work/a"
sed 's/"cost".*//' "$work/out" | cmp -s - "$work/a" || complain "a retry has another answer"
[ "$(spent hospital.yaml)" = 0.875 ] || complain "a retry was charged: $(spent hospital.yaml)"
refuses 1 'request' ask hospital.yaml "SELECT count(*) FROM patients" --analyst alice --request r1 --epsilon 0.5
refuses 1 'request' ask hospital.yaml "SELECT count(*) FROM visits" --analyst bob --request r1 --epsilon 0.5

# Limits: whose, and that nothing was charged.
before=$(spent hospital.yaml)
refuses 1 'interns' ask hospital.yaml "$one_count" --analyst bob --epsilon 1.5
refuses 1 'zoe' ask hospital.yaml "$one_count" --analyst zoe
expect 1 ask hospital.yaml "$one_count" --epsilon 2.5
[ "$(spent hospital.yaml)" = "$before" ] || complain "a refusal was charged"

# --error: the cost follows from the width, and is said before. Two-sided geometric noise: P(|x| > 20) <= 0.05 needs, by the
# tail 2 e^(-21 epsilon) / (1 + e^-epsilon), an epsilon of about 0.145.
expect 0 ask hospital.yaml "SELECT count(*) AS c FROM patients WHERE smoker" --error 20 --format json
grep -q '^epsilon 0\.1[45]' "$work/err" || complain "the price is not said: $(cat "$work/err")"
expect 1 ask hospital.yaml "SELECT avg(age) FROM patients WHERE smoker" --error 1
expect 0 ask hospital.yaml "SELECT avg(age) FROM patients WHERE smoker" --error 5 --size 300

# Refusals point at the place, in characters.
points 1 7 1 'agee' ask hospital.yaml "SELECT agee FROM patients"
points 2 5 1 'patiens' ask hospital.yaml $'SELECT count(*)\nFROM patiens'
points 1 23 1 'agee' ask hospital.yaml "SELECT 'héé' AS a, avg(agee) FROM patients"
expect 1 ask hospital.yaml "SELECT * FROM patients"
grep -q '^dither: ' "$work/err" || complain "rows are not refused in words"
for text in "" "SELECT" ";" "SELECT 1; SELECT 2" "DROP TABLE patients" "SELECT count(*) FROM 'patients.csv'" \
    "SELECT count(*) FROM read_csv('patients.csv')" "COPY patients TO '/tmp/x'" "SELECT random()"; do
    expect 1 ask hospital.yaml "$text"
    grep -q '^dither: ' "$work/err" || complain "'$text' is not refused in words"
    [ ! -s "$work/out" ] || complain "'$text' is refused, and yet prints something"
done
head -c 70000 /dev/zero | tr '\0' x >long.sql
expect 1 ask hospital.yaml --file long.sql
head -c 10 /dev/zero >nul.sql
refuses 1 'a NUL byte' ask hospital.yaml --file nul.sql
refuses 1 'No such file or directory' ask hospital.yaml --file nowhere.sql
refuses 1 'No such file or directory' ask nowhere.yaml "$one_count"
[ "$(spent hospital.yaml | cut -c 1-4)" != "" ] || complain "the ledger cannot be read any more"

refuses 2 'ask needs a policy and a question' ask
refuses 2 'what is the question?' ask hospital.yaml
refuses 2 'one question at a time' ask hospital.yaml SELECT 1
refuses 2 'given twice' ask hospital.yaml "$one_count" --file question.sql
refuses 2 '--epsilon must be above 0' ask hospital.yaml "$one_count" --epsilon 0
refuses 2 '--epsilon' ask hospital.yaml "$one_count" --epsilon NaN
refuses 2 'did you mean --epsilon?' ask hospital.yaml "$one_count" --epsilom 1
refuses 2 'must be table, csv or json' ask hospital.yaml "$one_count" --format xml
