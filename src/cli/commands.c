/* The commands, and finding the one that was meant. */
#include <string.h>

#include "base/nearest.h"
#include "cli/cli.h"

static const struct cli_command *const commands[] = {
    &cli_account, &cli_ask,       &cli_attack, &cli_audit, &cli_budget, &cli_check, &cli_explain, &cli_init,
    &cli_local,   &cli_mechanism, &cli_noise,  &cli_serve, &cli_token,  &cli_user,  &cli_verify,
};

/* For processes of our own: neither listed nor guessed at. */
static const struct cli_command *const hidden[] = {&cli_catalogue_worker, &cli_scratch_worker};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const char *command_name(size_t index, const void *context)
{
    (void)context;
    return index < COMMAND_COUNT ? commands[index]->name : NULL;
}

static void print_overview(FILE *out)
{
    fprintf(out, "dither %s: learn from sensitive data without learning about anyone in it\n\n",
            dither_version());
    fputs("usage: dither COMMAND [OPTION...] [ARGUMENT...]\n\ncommands:\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n`dither COMMAND --help` explains a command, with an example; `dither --version` prints the "
          "version.\n",
          out);
}

static int unknown_command(const char *name)
{
    const char *nearest = nearest_name(name, command_name, NULL);
    error why;
    if (nearest != NULL)
        (void)fail(&why, DITHER_INVALID, "there is no command \"%.40s\"; did you mean \"%s\"?", name,
                   nearest);
    else
        (void)fail(&why, DITHER_INVALID, "there is no command \"%.40s\"", name);
    return cli_misused(NULL, &why);
}

int cli_run(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_overview(stdout);
        return CLI_DONE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("dither %s\n", dither_version());
        return CLI_DONE;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i]->run(argc - 2, argv + 2);
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (strcmp(hidden[i]->name, name) == 0)
            return hidden[i]->run(argc - 2, argv + 2);
    return unknown_command(name);
}
