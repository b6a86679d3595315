#!/usr/bin/env bash
# `make demo`: five questions about the hospital in examples/hospital, their error bars, and what they cost.
#
#   examples/demo.sh [PROGRAM]      by default $DITHER, or build/dither
#
# It works on a copy, with a ledger of its own, and leaves nothing behind: run it as often as you like.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-${DITHER:-$here/../build/dither}}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp "$here"/hospital/hospital.yaml "$here"/hospital/*.csv "$copy"
export XDG_STATE_HOME=$copy/state
cd "$copy"

if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

say() {
    printf '\n%s%s%s\n' "$bold" "$1" "$plain"
    shift
    if [ $# -gt 0 ]; then printf '%s\n' "$@"; fi
}

# show ARGUMENT...: the command as a person would type it, then what it prints.
show() {
    printf '\n  $ dither'
    local argument
    for argument; do
        case $argument in
        *[!a-zA-Z0-9_./,:=^%-]*) printf ' "%s"' "$argument" ;;
        *) printf ' %s' "$argument" ;;
        esac
    done
    printf '\n\n'
    "$program" "$@" 2>&1 | sed 's/^/  /'
}

"$program" --version
say "A hospital" \
    "2000 patients and their 8000 visits, in three CSV files. hospital.yaml says who is protected (each patient, with" \
    "all visits), what is public about each column, and how much may ever be learnt: epsilon 10."
show check hospital.yaml --data

say "1. How many patients, and how old?" \
    "Every number comes with the interval that holds the truth 95 times in 100."
regions="SELECT region, count(*) AS patients, avg(age) AS age FROM patients GROUP BY region"
show ask hospital.yaml "$regions" --epsilon 0.5

say "2. Who smokes?" \
    "Ages are declared to be 0 to 120, so the keys are public, and shown also where nobody is."
show ask hospital.yaml \
    "SELECT age / 20 * 20 AS age, count(*) AS patients, count(*) FILTER (WHERE smoker) AS smokers FROM patients GROUP BY 1 ORDER BY 1" \
    --epsilon 1 --non-negative

say "3. What do they suffer from?" \
    "Which diseases there are is not public: a rare one would point at somebody, and stays hidden."
show ask hospital.yaml \
    "SELECT disease, count(*) AS patients FROM patients WHERE disease IS NOT NULL GROUP BY disease ORDER BY patients DESC" \
    --epsilon 1 --other

say "4. What does a visit cost, and where?" \
    "A join with a public table. One patient counts with at most 6 visits in each of at most 2 places."
show ask hospital.yaml \
    "SELECT c.region, avg(v.cost) AS cost FROM visits v JOIN clinics c USING (clinic_id) GROUP BY c.region ORDER BY cost DESC" \
    --epsilon 1

say "5. Who earns well in the north?" \
    "Alice does not say how much to spend but how wide the answer may be: the least cost is found, and said first." \
    "The question is about the north alone, so it costs the north alone."
show ask hospital.yaml "SELECT count(*) AS well_paid FROM patients WHERE region = 'north' AND salary > 40000" \
    --error 20 --analyst alice

say "The first question again" \
    "The same data, the same question: the same answer, and it is free."
show ask hospital.yaml "$regions" --epsilon 0.5

say "And this one?" \
    "Refused before a row is read."
show ask hospital.yaml "SELECT * FROM patients WHERE patient_id = 7" || true

say "What was spent?"
show budget hospital.yaml

say "That is all." \
    "examples/hospital/hospital.yaml is the policy; docs/owner.md makes one for your data, docs/analyst.md is for those who ask."

say "Ask from your own tool" \
    "psql, DBeaver, Metabase, pandas, R, Excel: whatever speaks to PostgreSQL (docs/serve.md). Let alice in, serve, and connect:"
cat <<END

  dither user add examples/hospital/hospital.yaml alice
  dither serve examples/hospital/hospital.yaml
  psql -h 127.0.0.1 -p 5433 -U alice hospital -c "SELECT region, count(*) FROM patients GROUP BY region"
END
