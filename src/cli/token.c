/* `dither token`: who may come in by a token. */
#include <string.h>

#include "cli/users.h"

static const struct cli_help help = {
    .usage = "token create POLICY NAME [--owner]\n"
             "token revoke POLICY ID\n"
             "token list POLICY [--format table|csv|json]",
    .about =
        "Makes and revokes bearer tokens, with which programs sign in to `dither serve` in the name of an\n"
        "analyst of the policy, or of an owner. A token has 256 random bits and is printed once: the file\n"
        "POLICY.users has its SHA-256 alone. Whoever has a token is believed, so treat it as a password.",
    .example = "  dither token create hospital.yaml alice",
};

struct token_request {
    struct users_request common;
    struct random *random;
    char text[USERS_TOKEN_TEXT];
    char id[USERS_TOKEN_ID];
};

static status create(struct users *users, void *context, error *why)
{
    struct token_request *request = context;
    const struct token *token = NULL;
    TRY(users_token_create(users, request->common.name, request->common.owner ? ROLE_OWNER : ROLE_ANALYST,
                           request->random, request->text, &token, why));
    memcpy(request->id, token->id, sizeof request->id);
    return DITHER_OK;
}

static status revoke(struct users *users, void *context, error *why)
{
    const struct token_request *request = context;
    if (!users_token_revoke(users, request->common.name))
        return fail(why, DITHER_INVALID, "there is no token \"%.63s\"", request->common.name);
    return DITHER_OK;
}

static status run_create(void *context, const char *path, error *why)
{
    struct token_request *request = context;
    TRY(users_edit(path, request->random, create, request, why));
    printf("%s\n", request->text);
    fprintf(stderr, "token %s of %s: it is shown this once\n", request->id, request->common.name);
    return DITHER_OK;
}

static status run_revoke(void *context, const char *path, error *why)
{
    struct token_request *request = context;
    TRY(users_edit(path, request->random, revoke, request, why));
    printf("token %s is revoked\n", request->common.name);
    return DITHER_OK;
}

static void list_json(const struct users *users, struct json_writer *json)
{
    for (size_t i = 0; i < users->token_count; i++) {
        json_begin_object(json);
        json_member_text(json, "id", users->tokens[i].id);
        json_member_text(json, "name", users->tokens[i].name);
        json_member_text(json, "role", serve_role_name(users->tokens[i].role));
        json_member_text(json, "created", users->tokens[i].created);
        json_end_object(json);
    }
}

static void list_table(const struct users *users, struct table *table)
{
    table_text_column(table, "id");
    table_text_column(table, "name");
    table_text_column(table, "role");
    table_text_column(table, "created");
    for (size_t i = 0; i < users->token_count; i++) {
        table_text(table, users->tokens[i].id);
        table_text(table, users->tokens[i].name);
        table_text(table, serve_role_name(users->tokens[i].role));
        table_text(table, users->tokens[i].created);
    }
}

static status run_list(void *context, const char *path, error *why)
{
    static const struct users_list list = {list_json, list_table};
    const struct token_request *request = context;
    return users_print_list(path, request->common.format, &list, why);
}

static const struct users_verb list_of_verbs[] = {{"create", "a policy and a name", 2, run_create},
                                                  {"revoke", "a policy and a token's id", 2, run_revoke},
                                                  {"list", "a policy", 1, run_list}};
static const struct users_verbs verbs = {"token", "token create, token revoke or token list?", list_of_verbs,
                                         sizeof list_of_verbs / sizeof list_of_verbs[0]};

static int run_verb(const struct users_verb *verb, struct token_request *request, char **argv, error *why)
{
    char path[USERS_PATH_BYTES];
    request->common.policy = argv[1];
    request->common.name = verb->arguments == 2 ? argv[2] : NULL;
    struct users_request checked = request->common;
    if (verb->run == run_revoke) /* an id is no analyst */
        checked.name = NULL;
    status result = users_of_policy(&checked, path, why);
    if (result == DITHER_OK)
        result = random_open(&request->random, why);
    if (result == DITHER_OK)
        result = verb->run(request, path, why);
    random_close(request->random);
    explicit_bzero(request->text, sizeof request->text);
    return result == DITHER_OK ? CLI_DONE : cli_failed(why);
}

static int run(int argc, char **argv)
{
    struct token_request request = {0};
    const struct cli_option list[] = {
        {"owner", NULL, "an owner's token", NULL, &request.common.owner, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request.common.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("token", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    const struct users_verb *verb = NULL;
    if (users_find_verb(&verbs, argc, argv, &verb, &why) != DITHER_OK)
        return cli_misused("token", &why);
    return run_verb(verb, &request, argv, &why);
}

const struct cli_command cli_token = {"token", "make and revoke bearer tokens", run};
