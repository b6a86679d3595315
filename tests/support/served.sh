# shellcheck shell=bash
# A server for tests with real clients; source after program.sh. The current folder has tests/clients/clients.yaml with its data:
# 400 people, whose number, age, region, salary and birthday follow from each other, and numbers from 1 to 5000.
: "${work:?}" "${DITHER:?}" "${SOURCE_DIR:?}"
export PGCONNECT_TIMEOUT=20 PGPASSWORD=pencil PGAPPNAME=test PGSSLMODE=prefer PGHOST=127.0.0.1 PGUSER=alice PGDATABASE=clients
unset PGPORT PGOPTIONS PGSSLROOTCERT PGSERVICE
export XDG_STATE_HOME=$work/state
# shellcheck source=tests/support/server.sh
source "$SOURCE_DIR/tests/support/server.sh"

# finish: the server ends well, and had nothing to complain about.
finish() {
    local status=0
    kill -TERM "$server"
    wait "$server" || status=$?
    server=
    [ "$status" = 0 ] || complain "the server ended with $status: $(cat "$work/complaints")"
    [ ! -s "$work/complaints" ] || complain "the server complained: $(cat "$work/complaints")"
}

# certificate: cert.pem and key.pem for localhost and 127.0.0.1, in the current folder.
certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -days 2 \
        -subj /CN=localhost -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' 2>/dev/null
    chmod 600 key.pem
}

# clients_folder: the policy and its data in a folder of its own, where alice may sign in.
clients_folder() {
    mkdir "$work/clients"
    cd "$work/clients" || exit 1
    cp "$SOURCE_DIR"/tests/clients/{clients.yaml,kinds.csv} .
    awk 'BEGIN {
        print "id,age,region,salary,born"
        for (i = 1; i <= 400; i++)
            printf "%d,%d,%s,%s,19%02d-01-0%d\n", i, i % 90, i % 3 ? "north" : "south", i % 7 ? i * 100 : "", i % 100, i % 9 + 1
    }' >people.csv
    { echo n && seq 5000; } >numbers.csv
    echo pencil >secret.txt
    expect 0 user add clients.yaml alice --password-file secret.txt
}
