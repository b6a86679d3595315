#!/usr/bin/env bash
# Shows `dither serve` with Debian's psycopg2, over TLS with a checked certificate: see tests/clients/client_psycopg2.py.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/served.sh
source "$SOURCE_DIR/tests/support/served.sh"
/usr/bin/python3 -c 'import psycopg2' || complain "psycopg2 is missing: python3-psycopg2, by tools/setup"

clients_folder
certificate
start clients.yaml --tls-cert cert.pem --tls-key key.pem
export PGSSLMODE=verify-full PGSSLROOTCERT=$PWD/cert.pem
/usr/bin/python3 "$SOURCE_DIR/tests/clients/client_psycopg2.py" >"$work/out" 2>&1 || complain "$(cat "$work/out")"
finish
