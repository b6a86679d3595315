/* users.h - what `user` and `token` share: whose policy, and the file beside it. */
#ifndef CLI_USERS_H
#define CLI_USERS_H

#include "cli/cli.h"
#include "serve/users.h"

struct users_request {
    const char *policy, *name;
    bool owner;
    enum cli_format format;
};

/* The path of the users' file. An analyst must be named in the policy, the owner need not be: the ledger would refuse
 * his questions otherwise. `name` NULL checks that the policy can be read. */
status users_of_policy(const struct users_request *request, char path[USERS_PATH_BYTES],
                       error *why) MUST_CHECK;

/* Reads the file for a list; what is not there yet is empty. */
status users_for_list(const char *path, struct users **out, error *why) MUST_CHECK;

#endif
