/* cli.h - what all commands of the program share.
 *
 * A command is one file with a `struct cli_command`; commands.c lists them. Conventions, the same everywhere:
 *  - exit 0: done; 1: refused or failed, with one line "dither: ..." on stderr; 2: wrong usage, also one
 * line; 130: stopped by Ctrl-C;
 *  - results go to stdout, as a table for people, CSV or JSON (--format);
 *  - options are long, "--name value" or "--name=value", in any order, before or after the arguments; what
 * begins with a minus and a digit is an argument (-5), and after "--" everything is;
 *  - --help prints what a command does, its options and an example. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/status.h"

enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_INTERRUPTED = 130,
};

struct cli_command {
    const char *name;
    const char *summary; /* one line, for `dither --help` */
    /* Gets the arguments after the command's name, which it may reorder. Returns the exit status. */
    int (*run)(int argc, char **argv);
};

extern const struct cli_command cli_account;
extern const struct cli_command cli_ask;
extern const struct cli_command cli_audit;
extern const struct cli_command cli_attack;
extern const struct cli_command cli_budget;
extern const struct cli_command cli_catalogue_worker;
extern const struct cli_command cli_check;
extern const struct cli_command cli_explain;
extern const struct cli_command cli_init;
extern const struct cli_command cli_noise;
extern const struct cli_command cli_local;
extern const struct cli_command cli_mechanism;
extern const struct cli_command cli_scratch_worker;
extern const struct cli_command cli_serve;
extern const struct cli_command cli_token;
extern const struct cli_command cli_user;
extern const struct cli_command cli_verify;

/* ---- Starting and ending: commands.c, process.c ---- */

/* Runs the command that the arguments of main name. */
int cli_run(int argc, char **argv);

/* Before anything else: private values in memory must not reach a core file or a debugger, and writing to a
 * closed pipe must be an error that we see, not a signal. */
void cli_guard_process(void);

/* Flushes stdout. A reader who left is no failure; a full disk is. Returns `result`, or CLI_FAILED. */
int cli_finish(int result);

/* Writes the buffer to stdout and empties it. */
status cli_write(struct buffer *buffer, error *why) MUST_CHECK;

/* ---- Complaining: process.c ---- */

/* "dither: MESSAGE" on stderr; returns CLI_FAILED. */
int cli_failed(const error *why);

/* "dither: MESSAGE (see `dither COMMAND --help`)"; returns CLI_USAGE. */
int cli_misused(const char *command, const error *why);

/* ---- Options: options.c ---- */

struct cli_option {
    const char *name;  /* without the dashes */
    const char *value; /* what the help calls its value ("E", "LO:HI"); NULL for a switch */
    const char *help;
    /* Reads the value into `place`. Its message completes "--name ...". NULL for a switch, whose place is a
     * bool. */
    status (*read)(const char *text, void *place, error *why);
    void *place;
    const char *alias; /* another name, or NULL */
    char letter;       /* a short form (-v), or 0 */
};

struct cli_options {
    const struct cli_option *list;
    size_t count;
};

/* Takes the options out of argv; what is left are the arguments, in order, and argc says how many. --help
 * (-h) anywhere sets `help` and skips the rest of the checks. */
status cli_parse(struct cli_options options, int *argc, char **argv, bool *help, error *why) MUST_CHECK;

struct cli_help {
    const char *usage;   /* lines, each without the leading "dither" */
    const char *about;   /* paragraphs */
    const char *example; /* lines of shell */
};

/* Prints usage, about, the options in a column, the example. */
void cli_print_help(const struct cli_help *help, struct cli_options options);

/* Readers for `struct cli_option`. */
status cli_read_text(const char *text, void *place, error *why); /* const char * */

enum cli_format {
    CLI_TABLE,
    CLI_CSV,
    CLI_JSON,
};
status cli_read_format(const char *text, void *place, error *why); /* enum cli_format */

#endif
