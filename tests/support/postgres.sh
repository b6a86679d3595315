# shellcheck shell=bash
# A PostgreSQL server of the test's own, on a free loopback port; source after program.sh. It is stopped by its id.
: "${work:?}"
postgres_programs=/usr/lib/postgresql/15/bin
postgres_folder=
postgres_server=

# as_postgres COMMAND...: as somebody whom initdb does not refuse.
as_postgres() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=postgres --regid=postgres --clear-groups env -u ASAN_OPTIONS "$@"
    else
        "$@"
    fi
}

# Sets PGHOST, PGPORT, PGUSER and PGDATABASE, for psql and for connection strings.
postgres_start() {
    [ -x "$postgres_programs/initdb" ] || complain "PostgreSQL 15 is missing"
    postgres_folder=$(mktemp -d /tmp/dither-postgres-XXXXXX)
    [ "$(id -u)" != 0 ] || chown postgres: "$postgres_folder"
    PGPORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    export PGPORT PGHOST=127.0.0.1 PGUSER=postgres PGDATABASE=postgres PGCONNECT_TIMEOUT=20
    (cd "$postgres_folder" && as_postgres "$postgres_programs/initdb" -D "$postgres_folder/data" -U postgres -A trust -E UTF8 --no-locale) \
        >"$work/initdb" 2>&1 || complain "initdb: $(tail -n 3 "$work/initdb")"
    # shellcheck disable=SC2016 # the inner shell's words
    (cd "$postgres_folder" && as_postgres sh -c 'exec "$0" -D data -p "$1" -c listen_addresses=127.0.0.1 -c unix_socket_directories="$2" \
        -c shared_buffers=16MB >log 2>&1' "$postgres_programs/postgres" "$PGPORT" "$postgres_folder") &
    postgres_server=$!
    for _ in $(seq 600); do
        "$postgres_programs/pg_isready" -q && return
        kill -0 "$postgres_server" 2>/dev/null || complain "the scratch server ended: $(tail -n 3 "$postgres_folder/log")"
        sleep 0.05
    done
    complain "the scratch server did not come up"
}

postgres_stop() {
    local main
    if [ -n "$postgres_server" ]; then
        main=$(head -n 1 "$postgres_folder/data/postmaster.pid" 2>/dev/null || true)
        [ -z "$main" ] || kill -INT "$main" 2>/dev/null || true
        wait "$postgres_server" 2>/dev/null || true
    fi
    [ -z "$postgres_folder" ] || rm -rf "$postgres_folder"
    postgres_server=
    postgres_folder=
}
