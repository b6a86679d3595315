#!/usr/bin/env bash
# Shows that the data of examples/hospital are what their generator makes, byte for byte, so that nobody needs to wonder where
# they come from, and that they are small.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1

mkdir "$work/made"
"$examples/hospital/make_data.sh" "$work/made"
for table in patients visits clinics; do
    cmp "$work/made/$table.csv" "$examples/hospital/$table.csv" || complain "$table.csv is not what make_data.sh makes"
done
[ "$(cat "$examples"/hospital/*.csv | wc -c)" -lt 400000 ] || complain "the data are too large for an example"

# What the policy declares about them holds: counted here by other means.
awk -F , 'NR > 1 && (seen[$1]++ || $2 < 0 || $2 > 120 || $3 !~ /^(north|south|east|west)$/) { bad++ }
    END { exit NR != 2001 || bad > 0 }' "$examples/hospital/patients.csv" || complain "patients.csv breaks its policy"
awk -F , 'NR == FNR { patient[$1] = 1; next } FNR > 1 && (!($2 in patient) || $3 < 1 || $3 > 12 || $4 !~ /^202[456]-/) { bad++ }
    END { exit bad > 0 }' "$examples/hospital/patients.csv" "$examples/hospital/visits.csv" || complain "visits.csv breaks its policy"
