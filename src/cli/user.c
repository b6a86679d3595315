/* `dither user`: who may come in by password. */
#include "cli/password.h"
#include "cli/users.h"

static const struct cli_help help = {
    .usage = "user add POLICY NAME [--owner] [--password-file FILE]\n"
             "user remove POLICY NAME\n"
             "user list POLICY [--format table|csv|json]",
    .about =
        "Says who may connect to `dither serve` with a password. An analyst is one whom the policy names;\n"
        "--owner makes somebody an owner, whose questions are limited by the budget alone. Adding somebody "
        "who\n"
        "is there gives another password. The password is asked for on the terminal, without showing it, or "
        "is\n"
        "the first line of a file (- is standard input); it is kept nowhere: the file POLICY.users, which "
        "its\n"
        "owner alone may read, has a SCRAM-SHA-256 verifier, from which it cannot be reckoned back. A "
        "server\n"
        "that runs sees the change at the next connection; who is removed loses his tokens too.",
    .example = "  dither user add hospital.yaml alice",
};

struct user_request {
    struct users_request common;
    const char *password_file;
    struct password password;
    struct random *random;
    bool replaced;
};

static status add(struct users *users, void *context, error *why)
{
    struct user_request *request = context;
    request->replaced = users_find(users, request->common.name) != NULL;
    return users_set(users, request->common.name, request->common.owner ? ROLE_OWNER : ROLE_ANALYST,
                     request->password.text, request->random, why);
}

static status remove_user(struct users *users, void *context, error *why)
{
    const struct user_request *request = context;
    if (!users_remove(users, request->common.name))
        return fail(why, DITHER_INVALID, "there is nobody of the name \"%.63s\"", request->common.name);
    return DITHER_OK;
}

static status run_add(void *context, const char *path, error *why)
{
    struct user_request *request = context;
    TRY(password_read(request->password_file, &request->password, why));
    TRY(users_edit(path, request->random, add, request, why));
    printf("%s %s may sign in%s\n", request->common.owner ? "owner" : "analyst", request->common.name,
           request->replaced ? ", with the new password" : "");
    return DITHER_OK;
}

static status run_remove(void *context, const char *path, error *why)
{
    struct user_request *request = context;
    TRY(users_edit(path, request->random, remove_user, request, why));
    printf("%s may not sign in any more\n", request->common.name);
    return DITHER_OK;
}

static void list_json(const struct users *users, struct json_writer *json)
{
    for (size_t i = 0; i < users->count; i++) {
        json_begin_object(json);
        json_member_text(json, "name", users->list[i].name);
        json_member_text(json, "role", serve_role_name(users->list[i].role));
        json_end_object(json);
    }
}

static void list_table(const struct users *users, struct table *table)
{
    table_text_column(table, "name");
    table_text_column(table, "role");
    for (size_t i = 0; i < users->count; i++) {
        table_text(table, users->list[i].name);
        table_text(table, serve_role_name(users->list[i].role));
    }
}

static status run_list(void *context, const char *path, error *why)
{
    static const struct users_list list = {list_json, list_table};
    const struct user_request *request = context;
    return users_print_list(path, request->common.format, &list, why);
}

static const struct users_verb list_of_verbs[] = {{"add", "a policy and a name", 2, run_add},
                                                  {"remove", "a policy and a name", 2, run_remove},
                                                  {"list", "a policy", 1, run_list}};
static const struct users_verbs verbs = {"user", "user add, user remove or user list?", list_of_verbs,
                                         sizeof list_of_verbs / sizeof list_of_verbs[0]};

static int run_verb(const struct users_verb *verb, struct user_request *request, char **argv, error *why)
{
    char path[USERS_PATH_BYTES];
    request->common.policy = argv[1];
    request->common.name = verb->arguments == 2 ? argv[2] : NULL;
    struct users_request checked = request->common;
    if (verb->run == run_remove) /* also whom the policy does not name any more */
        checked.owner = true;
    status result = users_of_policy(&checked, path, why);
    if (result == DITHER_OK)
        result = random_open(&request->random, why);
    if (result == DITHER_OK)
        result = verb->run(request, path, why);
    random_close(request->random);
    password_wipe(&request->password);
    return result == DITHER_OK ? CLI_DONE : cli_failed(why);
}

static int run(int argc, char **argv)
{
    struct user_request request = {0};
    const struct cli_option list[] = {
        {"owner", NULL, "an owner, who is limited by the budget alone", NULL, &request.common.owner, NULL, 0},
        {"password-file", "FILE", "the first line is the password; - is standard input", cli_read_text,
         &request.password_file, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request.common.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("user", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    const struct users_verb *verb = NULL;
    if (users_find_verb(&verbs, argc, argv, &verb, &why) != DITHER_OK)
        return cli_misused("user", &why);
    return run_verb(verb, &request, argv, &why);
}

const struct cli_command cli_user = {"user", "say who may connect with a password", run};
