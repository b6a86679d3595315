/* The owner's log: POLICY.log beside the policy, mode 0600. It may hold what the data source complained of, and
 * that may hold private values: nobody else reads it, and no answer ever tells what is in it. */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "curator/room.h"

static void write_time(struct buffer *out)
{
    char when[32] = "";
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) != NULL)
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    buffer_text(out, when);
}

/* A question's text must not command the owner's terminal, nor look like an entry. */
static void make_printable(struct buffer *text)
{
    for (size_t i = 0; i < text->length; i++)
        if ((unsigned char)text->data[i] < 0x20 || text->data[i] == 0x7F)
            text->data[i] = ' ';
}

static void append(const struct curator *curator, struct buffer *entry)
{
    struct buffer name;
    buffer_init(&name, 1 << 16);
    buffer_format(&name, "%s.log", curator->policy->file);
    make_printable(entry);
    buffer_byte(entry, '\n');
    if (!name.failed && !entry->failed) {
        int file = open(name.data, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file >= 0) {
            /* One write, so that entries of several processes do not mix. What cannot be written is lost: the
             * ledger's stop stays. */
            if (write(file, entry->data, entry->length) < 0)
                fputs("dither: the owner's log cannot be written\n", stderr);
            close(file);
        }
    }
    buffer_free(&name);
}

void log_engine_failure(const struct curator *curator, const char *analyst, const char *sql)
{
    struct buffer entry;
    const char *complaint = engine_complaint(curator->engine);
    buffer_init(&entry, CURATOR_SQL_BYTES + (1 << 16));
    write_time(&entry);
    buffer_format(&entry, " the data source failed on a question of %s; complaint: %s; question: %s",
                  analyst != NULL ? analyst : "the owner", complaint != NULL ? complaint : "none", sql);
    append(curator, &entry);
    buffer_free(&entry);
}

static void log_line(const struct curator *curator, const char *what, const char *message)
{
    struct buffer entry;
    buffer_init(&entry, 1 << 16);
    write_time(&entry);
    buffer_format(&entry, " %s: %s", what, message);
    append(curator, &entry);
    buffer_free(&entry);
}

void log_open_failure(const struct curator *curator, const char *message)
{
    log_line(curator, "the data source could not be opened", message);
}

void log_scratch_failure(const struct curator *curator, const char *message)
{
    log_line(curator, "the process for the rest of questions was lost", message);
}
