#!/usr/bin/env bash
# Shows how `dither ask` fails, and does not: odd and empty data, files that are no data, a process that is killed, many at once on
# one ledger, a full disk, Ctrl-C. The charge is never lost, never doubled, and no message holds a value.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"

# policy NAME [EPSILON]: a policy for people.csv, with a ledger of its own.
policy() {
    cat >"$1.yaml" <<END
dataset: $1
tables:
  people:
    source: people.csv
    unit: person_id
    max_rows: 1
    max_groups: 1
    columns:
      person_id: {type: integer}
      x: {type: real, range: [0, 10]}
      kind: {type: text, values: [a, b]}
budget: {epsilon: ${2:-1e12}, per_question: ${3:-1e6}}
END
}
header=person_id,x,kind
# sum_of NAME: the sum of x, under a huge epsilon.
sum_of() {
    policy "$1"
    expect 0 ask "$1.yaml" "SELECT sum(x) AS s FROM people" --format csv
    sed -n 2p "$work/out" | cut -d , -f 1
}

# Huge values, infinities, NaN and words: clamped to [0, 10], or nothing. 1e308 gives 10, everything else 0 or nothing.
printf '%s\n' "$header" 1,1e308,a 2,NaN,a 3,-inf,b 4,,a 5,words,b 6,-1e999,a >people.csv
[ "$(sum_of odd)" = 10 ] || complain "odd values add up to $(sum_of odd)"
# One person with a thousand rows counts as one row.
{ echo "$header" && seq 1000 | sed 's/.*/7,10,a/'; } >people.csv
[ "$(sum_of many)" = 10 ] || complain "a thousand rows of one person add up to $(sum_of many)"
# Nobody is an answer like any other.
echo "$header" >people.csv
policy nobody
expect 0 ask nobody.yaml "SELECT kind, count(*) AS n FROM people WHERE kind IS NOT NULL GROUP BY kind ORDER BY kind" --format csv
[ "$(tail -n +2 "$work/out" | cut -d , -f 1,2)" = $'a,0\nb,0' ] || complain "nobody is not 0: $(cat "$work/out")"

# 0 and -0 tie in a window, and a cast to text tells them apart: whichever row comes first, the answer is one.
zeros() {
    printf '%s\n' "$header" "$@" >people.csv
    local name=zeros${#1} # two names, two ledgers
    policy "$name"
    expect 0 ask "$name.yaml" "SELECT count(*) FILTER (WHERE z = '0') AS plus, count(*) FILTER (WHERE z = '-0') AS minus FROM
        (SELECT person_id, first_value(x) OVER (PARTITION BY person_id ORDER BY x)::text AS z FROM people) AS t" --format csv
    sed -n 2p "$work/out"
}
one=$(zeros 1,-0.0,a 1,0.0,a)
[ "$one" = "$(zeros 1,0.0,a 1,-0.0,a)" ] || complain "the order of 0 and -0 is seen: $one"
case $one in 1,*) ;; *) complain "0 and -0 are not 0: $one" ;; esac

# What is no data is refused, and no value is repeated.
: >people.csv
policy broken
expect 1 ask broken.yaml "SELECT count(*) FROM people"
printf '%s\n' "$header" 1,2,a 4711,5 >people.csv
expect 1 ask broken.yaml "SELECT count(*) FROM people"
grep -q 'people.csv' "$work/err" || complain "the file is not named: $(cat "$work/err")"
! grep -q 4711 "$work/err" || complain "a message repeats a value"
printf '%s\n' "$header" '4711,"2,a' >people.csv
expect 1 ask broken.yaml "SELECT count(*) FROM people"
! grep -q 4711 "$work/err" || complain "a message repeats a value"
printf 'analysts: {alice: {epsilon: 1}}\n' >>broken.yaml
expect 1 ask broken.yaml "SELECT count(*) FROM people" --analyst alice # what is wrong with the rows is not for her
grep -qx 'dither: the data source could not be opened; the owner has been told' "$work/err" || complain "alice is told: $(cat "$work/err")"
printf '%s\n' id,x,kind 1,2,a >people.csv
expect 1 ask broken.yaml "SELECT count(*) FROM people"
grep -q person_id "$work/err" || complain "the missing column is not named: $(cat "$work/err")"
rm people.csv
expect 1 ask broken.yaml "SELECT count(*) FROM people"
grep -q 'people.csv' "$work/err" || complain "the missing file is not named: $(cat "$work/err")"
: >empty.yaml
expect 1 ask empty.yaml "SELECT 1"
[ ! -e empty.ledger ] || complain "a policy that cannot be read has made a ledger"

# Many at once on one ledger: five ask for a quarter each of a budget of one, and exactly four get it.
printf '%s\n' "$header" 1,1,a 2,2,b >people.csv
policy crowd 1 0.25
for i in 1 2 3 4 5; do
    (
        status=0
        "$DITHER" ask crowd.yaml "SELECT count(*) AS n$i FROM people WHERE x > $i" >"$work/out$i" 2>"$work/err$i" || status=$?
        echo "$status" >"$work/status$i"
    ) &
done
wait
[ "$(cat "$work"/status? | sort | tr '\n' ' ')" = "0 0 0 0 1 " ] || complain "at once: $(cat "$work"/status? "$work"/err?)"
[ "$(spent crowd.yaml)" = 1 ] || complain "four quarters are $(spent crowd.yaml)"

# A process that is killed, wherever it is: the ledger stays sound, holds whole charges, and the next question is answered.
policy killed 100 0.5
for delay in 0.02 0.1 0.2 0.3 0.4 0.5 0.7; do
    "$DITHER" ask killed.yaml "SELECT count(*) FROM people WHERE x > $delay" >/dev/null 2>&1 &
    pid=$!
    sleep "$delay"
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
done
expect 0 ask killed.yaml "SELECT count(*) FROM people WHERE x > 9"
expect 0 budget killed.yaml --verify
spent killed.yaml | grep -qxE '[0-9]+(\.5)?' || complain "killed: $(spent killed.yaml) is no whole number of charges"

# A full disk below the ledger: no answer, one line, and once there is room again all is well.
policy full 100 0.5
echo "ledger: {sqlite: disk/full.ledger}" >>full.yaml
mkdir disk
if mount -t tmpfs -o size=256k none disk 2>/dev/null; then
    trap 'umount "$work/hospital/disk"; rm -rf "$work"' EXIT
    expect 0 ask full.yaml "SELECT count(*) FROM people"
    dd if=/dev/zero of=disk/ballast bs=1k 2>/dev/null || true
    for i in 1 2 3 4 5 6 7 8; do # the file may still have room inside
        status=0
        "$DITHER" ask full.yaml "SELECT count(*) AS n$i, sum(x) FROM people WHERE x < $i" >"$work/out" 2>"$work/err" || status=$?
        [ "$status" = 0 ] || break
    done
    [ "$status" = 1 ] || complain "a full disk is not noticed"
    [ ! -s "$work/out" ] || complain "an answer without its record: $(cat "$work/out")"
    [ "$(wc -l <"$work/err")" = 1 ] || complain "a full disk takes more than a line: $(cat "$work/err")"
    rm disk/ballast
    expect 0 ask full.yaml "SELECT count(*) FROM people WHERE x > 1"
    expect 0 budget full.yaml --verify
else
    echo "the full disk is left out: mounting a small tmpfs is not allowed here"
fi
# The output on a full disk: the answer is charged and kept, and a retry gets it.
policy output 100 0.5
status=0
"$DITHER" ask output.yaml "SELECT count(*) FROM people" --request again >/dev/full 2>"$work/err" || status=$?
[ "$status" = 1 ] || complain "an answer that cannot be written: exit status $status"
expect 0 ask output.yaml "SELECT count(*) FROM people" --request again
[ "$(spent output.yaml)" = 0.5 ] || complain "charged twice: $(spent output.yaml)"

# Ctrl-C: 130, the charge stays and is said, the asker is not stopped. Every patient with forty visits has 40^5 rows here.
long="SELECT count(*) FROM visits a JOIN visits b USING (patient_id) JOIN visits c USING (patient_id)
    JOIN visits d USING (patient_id) JOIN visits e USING (patient_id) JOIN visits f USING (patient_id) WHERE a.cost + f.cost > 17"
set -m # so that the job does not ignore the signal
# Wherever it comes: 130, or the answer when it comes too late.
printf '%s\n' "$header" 1,1,a 2,2,b >people.csv
policy early 100 0.5
for delay in 0.01 0.05 0.1 0.15 0.2 0.3 0.5; do
    "$DITHER" ask early.yaml "SELECT count(*) FROM people WHERE x > $delay" >"$work/out" 2>"$work/err" &
    pid=$!
    sleep "$delay"
    kill -INT "$pid" 2>/dev/null || true
    status=0
    wait "$pid" || status=$?
    [ "$status" = 130 ] || [ "$status" = 0 ] || complain "Ctrl-C after $delay s: exit status $status: $(cat "$work/err")"
done
expect 0 ask early.yaml "SELECT count(*) FROM people"
expect 0 budget early.yaml --verify

"$DITHER" ask hospital.yaml "$long" --epsilon 0.5 >"$work/out" 2>"$work/err" &
pid=$!
for _ in $(seq 200); do # until it is charged
    [ "$(spent hospital.yaml 2>/dev/null)" = 0.5 ] && break
    sleep 0.1
done
sleep 0.3
kill -INT "$pid"
status=0
wait "$pid" || status=$?
set +m
[ "$status" = 130 ] || complain "Ctrl-C: exit status $status: $(cat "$work/err")"
grep -q 'the charge stays' "$work/err" || complain "Ctrl-C does not say what became of the charge: $(cat "$work/err")"
[ "$(wc -l <"$work/err")" = 1 ] || complain "Ctrl-C takes more than a line: $(cat "$work/err")"
[ ! -s "$work/out" ] || complain "Ctrl-C prints an answer"
[ "$(spent hospital.yaml)" = 0.5 ] || complain "Ctrl-C: $(spent hospital.yaml) was charged"
expect 0 ask hospital.yaml "$one_count"
