#!/usr/bin/env bash
# Shows `dither serve` with node's pg, over TLS with a checked certificate: see tests/clients/client_node.js.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/served.sh
source "$SOURCE_DIR/tests/support/served.sh"
command -v node >/dev/null || complain "node is missing: nodejs, by tools/setup"
NODE_PATH=$("$SOURCE_DIR/tools/node_pg" --where) || complain "node's pg is missing: tools/node_pg fetches it"
export NODE_PATH

clients_folder
certificate
start clients.yaml --tls-cert cert.pem --tls-key key.pem
export PGSSLROOTCERT=$PWD/cert.pem
unset PGSSLMODE # pg goes by what the program says
node "$SOURCE_DIR/tests/clients/client_node.js" >"$work/out" 2>&1 || complain "$(cat "$work/out")"
grep -q '^pg ' "$work/out" || complain "$(cat "$work/out")"
finish
