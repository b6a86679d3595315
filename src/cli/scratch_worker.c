/* `dither scratch-worker`: the process that `dither serve` starts for the rest of questions. Not for people, so that the overview
 * does not list it. */
#include "cli/cli.h"
#include "engine/scratch_worker.h"

static int run(int argc, char **argv)
{
    error why;
    (void)argc;
    (void)argv;
    return scratch_worker(&why) == DITHER_OK ? CLI_DONE : cli_misused(NULL, &why);
}

const struct cli_command cli_scratch_worker = {
    "scratch-worker", "what follows releases, in a process that is shut in; started by `dither serve`", run};
