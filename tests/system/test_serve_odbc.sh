#!/usr/bin/env bash
# Shows `dither serve` with PostgreSQL's ODBC driver as Debian has it: see tests/clients/client_odbc.c. Three ways of the driver: with
# statements prepared on the server, with cursors there (DECLARE, FETCH), and with values written into the text.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/served.sh
source "$SOURCE_DIR/tests/support/served.sh"
driver=$(dpkg -L odbc-postgresql 2>/dev/null | grep 'psqlodbcw\.so$' || true)
[ -e "$driver" ] || complain "the ODBC driver is missing: odbc-postgresql, by tools/setup"
cc -std=c17 -Wall -Wextra -o "$work/client" "$SOURCE_DIR/tests/clients/client_odbc.c" -lodbc ||
    complain "unixODBC is missing: unixodbc-dev, by tools/setup"
printf '[PostgreSQL]\nDriver = %s\n' "$driver" >"$work/odbcinst.ini"
export ODBCSYSINI=$work ODBCINSTINI=odbcinst.ini
unset PGSSLMODE # the driver goes by its own

clients_folder
certificate
start clients.yaml --tls-cert cert.pem --tls-key key.pem
for more in UseServerSidePrepare=1 'UseDeclareFetch=1;Fetch=100' UseServerSidePrepare=0; do
    "$work/client" "Driver=PostgreSQL;Server=127.0.0.1;Port=$PGPORT;Database=clients;UID=alice;PWD=pencil;SSLmode=require;BoolsAsChar=0;$more" \
        >"$work/out" 2>&1 || complain "$more: $(cat "$work/out")"
    grep -q '^psqlODBC [0-9]' "$work/out" || complain "$more: $(cat "$work/out")"
done
finish
