/* `dither scratch-worker`, `dither catalogue-worker`: the processes that `dither serve` starts to run what analysts wrote. Not for
 * people, so that the overview does not list them. */
#include "cli/cli.h"
#include "engine/scratch_worker.h"
#include "serve/catalogue_worker.h"

static int run_scratch(int argc, char **argv)
{
    error why;
    (void)argc;
    (void)argv;
    return scratch_worker(&why) == DITHER_OK ? CLI_DONE : cli_misused(NULL, &why);
}

static int run_catalogue(int argc, char **argv)
{
    error why;
    (void)argc;
    (void)argv;
    return catalogue_worker(&why) == DITHER_OK ? CLI_DONE : cli_misused(NULL, &why);
}

const struct cli_command cli_scratch_worker = {
    "scratch-worker", "what follows releases, in a process that is shut in; started by `dither serve`",
    run_scratch};
const struct cli_command cli_catalogue_worker = {
    "catalogue-worker", "the catalogue, in a process that is shut in; started by `dither serve`",
    run_catalogue};
