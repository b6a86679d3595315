#!/usr/bin/env bash
# Shows that one can connect as docs/serve.md says: its blocks for the shell, Python and node are run as they stand, with a port that is
# free and a password in the place of the dots.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"
# shellcheck source=tests/support/served.sh
source "$SOURCE_DIR/tests/support/served.sh"
NODE_PATH=$("$SOURCE_DIR/tools/node_pg" --where) || complain "node's pg is missing: tools/node_pg fetches it"
export NODE_PATH
unset PGHOST PGUSER PGDATABASE PGSSLMODE

# block LANGUAGE: what stands in the page between ```LANGUAGE and ```.
block() {
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$SOURCE_DIR/docs/serve.md" | sed -e '/^```/d' -e "s/5433/$PGPORT/" -e 's/"\.\.\."/"pencil"/'
}

echo pencil >secret.txt
expect 0 user add hospital.yaml alice --password-file secret.txt
start hospital.yaml
block sh >connect.sh
[ "$(grep -c '^psql' connect.sh)" = 2 ] || complain "the page has other lines for psql: $(cat connect.sh)"
bash -e connect.sh >"$work/out" 2>&1 || complain "$(cat "$work/out")"
prints '(4 rows)'
prints 'age_low'
prints 'cost epsilon 0.1'
block python >connect.py
/usr/bin/python3 connect.py >"$work/out" 2>&1 || complain "$(cat connect.py "$work/out")"
grep -qE '^[0-9]+ NOTICE:  cost epsilon 0.1' "$work/out" || complain "$(cat "$work/out")"
block js >connect.js
node connect.js >"$work/out" 2>&1 || complain "$(cat connect.js "$work/out")"
prints 'cost epsilon 0.1'
prints "region: 'north'"
finish
