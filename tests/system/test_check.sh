#!/usr/bin/env bash
# Shows that `dither check` finds what does not fit between a policy and its data, looks at rows only when told to, and says with
# its exit status whether something is wrong. Each fault is planted in a copy of examples/hospital.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"

expect 0 check hospital.yaml
prints '2 private tables, 1 public; 0 wrong'
prints 'hospital.yaml:15: column patients.disease has no values'
expect 0 check hospital.yaml --data
prints 'proved unique for data version 1'
expect 0 check hospital.yaml --format json
grep -q '^{"dataset": "hospital", "findings": \[.*\], "wrong": 0, "proved": false}$' "$work/out" || complain "JSON: $(cat "$work/out")"
[ ! -e hospital.ledger ] || complain "check has made a ledger"

# wrong TEXT SED [OPTION]: with this change of the policy, check finds something wrong that TEXT names.
wrong() {
    sed "$2" hospital.yaml >changed.yaml
    cmp -s hospital.yaml changed.yaml && complain "'$2' changes nothing"
    expect 1 check changed.yaml ${3:+"$3"}
    [ "$(wc -l <"$work/err")" = 1 ] || complain "check: not one line on stderr: $(cat "$work/err")"
    grep -qF -- "$1" "$work/out" "$work/err" || complain "check does not say '$1': $(cat "$work/out" "$work/err")"
}
wrong 'patiens.csv' 's/source: patients.csv/source: patiens.csv/'
wrong 'wage' 's/salary:/wage:/'
wrong 'changed.yaml:11' 's/range: \[0, 120\]/range: [120, 0]/'
wrong 'did you mean' 's/rows_per_unit/row_per_unit/'
refuses 1 'No such file or directory' check nowhere.yaml

# A type that does not fit is seen in the rows alone, and all of them say so; a single odd cell is no reason to stop.
sed 's/age: .*/age: {type: date}/' hospital.yaml >changed.yaml
expect 0 check changed.yaml
expect 1 check changed.yaml --data
prints 'column patients.age: 2000 cells are not of the type date and became NULL'
cp patients.csv before.csv
echo 9999,30,north,true,much,gout >>patients.csv
expect 0 check hospital.yaml --data
prints 'column patients.salary: 1 cell is not of the type real and became NULL'
mv before.csv patients.csv

# Two rows of one patient: the declaration is false, which only rows can show; no value is repeated.
echo 4711,30,north,true,20000,gout >>patients.csv
echo 4711,31,north,true,20000,gout >>patients.csv
expect 0 check hospital.yaml
sed 's/^version: 1/version: 2/' hospital.yaml >second.yaml
expect 1 check second.yaml --data
grep -q patient_id "$work/out" "$work/err" || complain "the key that is not unique is not named: $(cat "$work/out" "$work/err")"
! grep -q 4711 "$work/out" "$work/err" || complain "check repeats a value"

refuses 2 'check needs one policy' check
refuses 2 '--format must be table or json' check hospital.yaml --format csv
refuses 2 'there is no option --dta' check hospital.yaml --dta
