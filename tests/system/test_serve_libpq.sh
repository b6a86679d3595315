#!/usr/bin/env bash
# Shows `dither serve` with libpq, over TLS with a checked certificate and SCRAM bound to it: see tests/clients/client_libpq.c.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/served.sh
source "$SOURCE_DIR/tests/support/served.sh"
# shellcheck disable=SC2046 # words
cc -std=c17 -D_DEFAULT_SOURCE -Wall -Wextra -o "$work/client" "$SOURCE_DIR/tests/clients/client_libpq.c" $(pkg-config --cflags --libs libpq) ||
    complain "libpq is missing: libpq-dev, by tools/setup"

clients_folder
certificate
start clients.yaml --tls-cert cert.pem --tls-key key.pem
export PGSSLMODE=verify-full PGSSLROOTCERT=$PWD/cert.pem PGCHANNELBINDING=require
"$work/client" >"$work/out" 2>&1 || complain "$(cat "$work/out")"
finish
