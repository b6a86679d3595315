/* The owner's log: POLICY.log beside the policy, mode 0600. It may hold what the data source complained of, and
 * that may hold private values: nobody else reads it, and no answer ever tells what is in it. */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "curator/room.h"

static void write_entry(const struct curator *curator, const char *analyst, const char *sql,
                        struct buffer *out)
{
    char when[32] = "";
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) != NULL)
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    const char *complaint = engine_complaint(curator->engine);
    buffer_format(out, "%s the data source failed on a question of %s; complaint: %s; question: %s", when,
                  analyst != NULL ? analyst : "the owner", complaint != NULL ? complaint : "none", sql);
}

/* A question's text must not command the owner's terminal, nor look like an entry. */
static void make_printable(struct buffer *text)
{
    for (size_t i = 0; i < text->length; i++)
        if ((unsigned char)text->data[i] < 0x20 || text->data[i] == 0x7F)
            text->data[i] = ' ';
}

void log_engine_failure(const struct curator *curator, const char *analyst, const char *sql)
{
    struct buffer name, entry;
    buffer_init(&name, 1 << 16);
    buffer_init(&entry, CURATOR_SQL_BYTES + (1 << 16));
    buffer_format(&name, "%s.log", curator->policy->file);
    write_entry(curator, analyst, sql, &entry);
    make_printable(&entry);
    buffer_byte(&entry, '\n');
    if (!name.failed && !entry.failed) {
        int file = open(name.data, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file >= 0) {
            /* One write, so that entries of several processes do not mix. What cannot be written is lost: the
             * ledger's stop stays. */
            if (write(file, entry.data, entry.length) < 0)
                fputs("dither: the owner's log cannot be written\n", stderr);
            close(file);
        }
    }
    buffer_free(&entry);
    buffer_free(&name);
}
