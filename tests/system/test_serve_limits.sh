#!/usr/bin/env bash
# Shows that `dither serve` bears clients that mean ill, and goes on serving the others in bounded memory: see tests/clients/client_limits.c and client_limits_http.c.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/served.sh
source "$SOURCE_DIR/tests/support/served.sh"
# shellcheck disable=SC2046 # words
cc -std=c17 -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L -Wall -Wextra -o "$work/client" "$SOURCE_DIR"/tests/clients/client_limits{,_http}.c \
    $(pkg-config --cflags --libs libpq) || complain "libpq is missing: libpq-dev, by tools/setup"
# What the sanitizers keep of memory that was given back is not the server's.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:quarantine_size_mb=8:thread_local_quarantine_size_kb=64

clients_folder
TOKEN=$("$DITHER" token create clients.yaml alice 2>/dev/null)
export TOKEN
start clients.yaml --workers 4
"$work/client" "$server" >"$work/out" 2>&1 || complain "$(cat "$work/out" "$work/complaints")"
finish

certificate
start clients.yaml --workers 1 --tls-cert cert.pem --tls-key key.pem
PGSSLMODE=require "$work/client" "$server" tls >"$work/out" 2>&1 || complain "$(cat "$work/out" "$work/complaints")"
finish
