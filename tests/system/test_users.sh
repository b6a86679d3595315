#!/usr/bin/env bash
# Shows `dither user` and `dither token`: who is added is listed and who is removed is not, with his tokens; nothing secret is
# in the file or shown twice; analysts are those of the policy; a password comes from a file, standard input, or a terminal
# without echo (script gives one).
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"

expect 0 user list hospital.yaml --format csv
[ "$(cat "$work/out")" = "name,role" ] || complain "somebody is there from the start: $(cat "$work/out")"
[ ! -e hospital.users ] || complain "a list makes a file"

echo "correct horse" >secret.txt
expect 0 user add hospital.yaml alice --password-file secret.txt
prints "analyst alice may sign in"
printf 'battery\r\n' | "$DITHER" user add hospital.yaml olga --owner --password-file - >"$work/out" || complain "standard input is not read"
prints "owner olga may sign in"
expect 0 user add hospital.yaml alice --password-file secret.txt
prints "with the new password"
[ "$(stat -c %a hospital.users)" = 600 ] || complain "the file has the mode $(stat -c %a hospital.users)"
grep -q '^user alice analyst SCRAM-SHA-256[$]16384:' hospital.users || complain "no verifier: $(cat hospital.users)"
[ "$(grep -c '^user alice ' hospital.users)" = 1 ] || complain "alice is there twice"
! grep -qE 'horse|battery' hospital.users || complain "a password is in the file"
expect 0 user list hospital.yaml --format csv
[ "$(cat "$work/out")" = $'name,role\nalice,analyst\nolga,owner' ] || complain "the list is: $(cat "$work/out")"
expect 0 user list hospital.yaml --format json
prints '{"name": "olga", "role": "owner"}'

refuses 1 'names no analyst "alise"; did you mean "alice"?' user add hospital.yaml alise --password-file secret.txt
printf 'p\303\244ss\n' >umlaut.txt
refuses 1 'printable ASCII' user add hospital.yaml alice --password-file umlaut.txt
refuses 1 'must not be empty' user add hospital.yaml alice --password-file /dev/null
refuses 1 'No such file' user add hospital.yaml alice --password-file nowhere.txt
refuses 1 'the name must have neither blanks' user add hospital.yaml "a b" --owner --password-file secret.txt
refuses 1 'there is nobody' user remove hospital.yaml zoe
refuses 2 'user add needs a policy and a name' user add hospital.yaml
refuses 2 'user add, user remove or user list?' user frobnicate
refuses 2 'user add, user remove or user list?' user

# A terminal: the password is not echoed.
{ sleep 1; printf 'typed one\n'; sleep 1; printf 'typed one\n'; sleep 1; } |
    script -qec "'$DITHER' user add hospital.yaml bob" "$work/typescript" >/dev/null || complain "the terminal is not asked: $(cat "$work/typescript")"
grep -q 'analyst bob may sign in' "$work/typescript" || complain "bob: $(cat "$work/typescript")"
! grep -q 'typed one' "$work/typescript" || complain "the password is echoed"

# Tokens.
expect 0 token create hospital.yaml alice
token=$(cat "$work/out")
[[ $token =~ ^dither_[A-Za-z0-9_-]{43}$ ]] || complain "not a token: $token"
! grep -qF "${token#dither_}" hospital.users || complain "the token is in the file"
id=$(printf %s "$token" | sha256sum | cut -c 1-8)
grep -q "^token $id alice analyst [0-9-]* $(printf %s "$token" | sha256sum | cut -c 1-64)\$" hospital.users || complain "its hash is not there"
expect 0 token list hospital.yaml --format csv
prints "$id,alice,analyst,"
expect 0 token revoke hospital.yaml "$id"
refuses 1 'there is no token' token revoke hospital.yaml "$id"
expect 0 token create hospital.yaml alice
expect 0 user remove hospital.yaml alice
expect 0 token list hospital.yaml --format csv
[ "$(wc -l <"$work/out")" = 1 ] || complain "who is removed keeps his tokens"
refuses 1 'names no analyst' token create hospital.yaml zoe
refuses 2 'token create, token revoke or token list?' token

# A file that others may read is refused.
chmod 644 hospital.users
refuses 1 'chmod 600' user list hospital.yaml
