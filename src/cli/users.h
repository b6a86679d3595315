/* users.h - what `user` and `token` share: whose policy, and the file beside it. */
#ifndef CLI_USERS_H
#define CLI_USERS_H

#include "base/json.h"
#include "cli/cli.h"
#include "cli/table.h"
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

/* One of the things that `dither COMMAND` does: `dither COMMAND VERB POLICY [NAME]`. */
struct users_verb {
    const char *name;
    const char *needs; /* "a policy and a name" */
    int arguments;     /* behind the verb */
    status (*run)(void *request, const char *path, error *why);
};
struct users_verbs {
    const char *command;
    const char *question; /* "user add, user remove or user list?" */
    const struct users_verb *list;
    size_t count;
};
status users_find_verb(const struct users_verbs *verbs, int argc, char **argv, const struct users_verb **out,
                       error *why) MUST_CHECK;

/* Prints a list that is made of the file; a file that is not there yet is empty. */
struct users_list {
    void (*json)(const struct users *users, struct json_writer *json); /* the objects of an array */
    void (*table)(const struct users *users, struct table *table);
};
status users_print_list(const char *path, enum cli_format format, const struct users_list *list,
                        error *why) MUST_CHECK;

#endif
