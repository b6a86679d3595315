/* The process as a whole: how it starts, how it writes, how it ends. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "cli/cli.h"

void cli_guard_process(void)
{
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none); /* lowering a limit is always allowed */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a full disk */
}

static bool reader_left;

status cli_write(struct buffer *buffer, error *why)
{
    TRY(buffer_check(buffer, why));
    if (buffer->length > 0 && fwrite(buffer->data, 1, buffer->length, stdout) < buffer->length) {
        reader_left = errno == EPIPE;
        return fail(why, DITHER_IO, "the output cannot be written: %s", strerror(errno));
    }
    buffer_clear(buffer);
    return DITHER_OK;
}

int cli_finish(int result)
{
    bool failed = ferror(stdout);
    errno = 0;
    if (fflush(stdout) != 0)
        failed = true;
    if (!failed)
        return result;
    if (reader_left || errno == EPIPE)
        return CLI_DONE; /* whoever read has seen enough */
    if (result == CLI_DONE)
        fprintf(stderr, "dither: the output cannot be written: %s\n",
                errno != 0 ? strerror(errno) : "an earlier write failed");
    return result == CLI_DONE ? CLI_FAILED : result;
}

int cli_failed(const error *why)
{
    if (!reader_left)
        fprintf(stderr, "dither: %s\n", why->message);
    return CLI_FAILED;
}

int cli_misused(const char *command, const error *why)
{
    fprintf(stderr, "dither: %s (see `dither%s%s --help`)\n", why->message, command != NULL ? " " : "",
            command != NULL ? command : "");
    return CLI_USAGE;
}
