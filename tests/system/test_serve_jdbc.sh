#!/usr/bin/env bash
# Shows `dither serve` with PostgreSQL's JDBC driver as Debian has it, over TLS with a checked certificate: see
# tests/clients/ClientJdbc.java.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/served.sh
source "$SOURCE_DIR/tests/support/served.sh"
driver=/usr/share/java/postgresql.jar
[ -e "$driver" ] || complain "the JDBC driver is missing: libpostgresql-jdbc-java, by tools/setup"
command -v javac >/dev/null || complain "a Java compiler is missing: default-jdk-headless, by tools/setup"

clients_folder
certificate
start clients.yaml --tls-cert cert.pem --tls-key key.pem
url="jdbc:postgresql://127.0.0.1:$PGPORT/clients?user=alice&password=pencil&sslmode=verify-full&sslrootcert=$PWD/cert.pem"
java -XX:TieredStopAtLevel=1 -Duser.timezone=Asia/Tokyo -cp "$driver" "$SOURCE_DIR/tests/clients/ClientJdbc.java" "$url" \
    >"$work/out" 2>&1 || complain "$(cat "$work/out")"
grep -q 'PostgreSQL JDBC Driver' "$work/out" || complain "$(cat "$work/out")"
finish
