/* The program. All of it is in the room's other files, where tests can reach it. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    cli_guard_process();
    return cli_finish(cli_run(argc, argv));
}
