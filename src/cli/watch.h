/* watch.h - what happens while a question runs: time goes by on the terminal, and Ctrl-C stops it.
 *
 * Analysts see the elapsed time only; how far the engine has come depends on private rows, and is shown in the
 * owner's own runs alone. Nothing is shown unless stderr is a terminal.
 *
 * Ctrl-C is taken by a thread, which may call what a signal handler may not. Before watch_curator there is
 * nothing to stop and nothing was charged: the process ends with 130. From then on the curator is interrupted,
 * and the caller says what became of the charge; a second Ctrl-C ends the process at once. The ledger does not
 * mind: what it granted is on disk. Where SIGINT is ignored from the start, as in background jobs of a script,
 * it stays ignored. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/cli.h"
#include "curator/curator.h"

struct watch;

/* Before any other thread is started: they must not get the signal. */
status watch_begin(bool owner, struct watch **out, error *why) MUST_CHECK;

/* What Ctrl-C interrupts from now on; NULL: nothing. */
void watch_curator(struct watch *watch, struct curator *curator);

/* What is being done until watch_curator, beside the elapsed time, for the owner: for engine_options.tell. */
void watch_tell(void *watch, const char *line);

/* What an import finds in the rows, on a line of its own where the owner looks: for engine_options.report. */
void watch_report(void *watch, enum engine_severity severity, const char *line);

/* Ends the display; whether Ctrl-C came. NULL is fine. */
bool watch_end(struct watch *watch);

#endif
