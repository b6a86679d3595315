#include "serve/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "curator/format.h"
#include "serve/failure.h"

enum { LINE_BYTES = 1 << 20, WAITING_BYTES = 64 << 10, TENTH = 100 };

struct journal {
    pthread_mutex_t lock;
    const char *path;
    bool no_text, complained;
    int file;
    struct buffer waiting; /* lines that are not yet in the file */
    struct journal_counts counts;
};

const char *const journal_via_names[JOURNAL_VIAS] = {"postgres", "http"};
const char *const journal_deed_names[JOURNAL_DEEDS] = {"ask", "explain"};
const char *const journal_outcome_names[JOURNAL_OUTCOMES] = {"answered", "cached", "refused", "failed",
                                                             "interrupted"};

/* ---- The file ---- */

/* A file that others may read is refused: the texts may hold what their askers would not show around. */
static status open_file(const char *path, int *out, error *why)
{
    struct stat facts;
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0 || fstat(file, &facts) != 0) {
        int cause = errno;
        if (file >= 0)
            close(file);
        return fail(why, DITHER_IO, "the log %.200s cannot be opened: %s", path, strerror(cause));
    }
    if ((facts.st_mode & 077) != 0) {
        close(file);
        return fail(why, DITHER_REFUSED, "the log %.200s may be read by others: chmod 600", path);
    }
    *out = file;
    return DITHER_OK;
}

status journal_open(const struct journal_options *options, struct journal **out, error *why)
{
    int file = -1;
    if (options->path != NULL)
        TRY(open_file(options->path, &file, why));
    struct journal *journal = memory_allocate(sizeof *journal);
    if (journal == NULL) {
        if (file >= 0)
            close(file);
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    }
    pthread_mutex_init(&journal->lock, NULL);
    journal->path = options->path;
    journal->no_text = options->no_text;
    journal->file = file;
    buffer_init(&journal->waiting, WAITING_BYTES + LINE_BYTES);
    *out = journal;
    return DITHER_OK;
}

void journal_close(struct journal *journal)
{
    if (journal == NULL)
        return;
    journal_flush(journal);
    if (journal->file >= 0)
        close(journal->file);
    buffer_free(&journal->waiting);
    pthread_mutex_destroy(&journal->lock);
    memory_release(journal, sizeof *journal);
}

status journal_reopen(struct journal *journal, error *why)
{
    int file = -1, old = -1;
    if (journal->path == NULL)
        return DITHER_OK;
    TRY(open_file(journal->path, &file, why));
    journal_flush(journal);
    pthread_mutex_lock(&journal->lock);
    old = journal->file;
    journal->file = file;
    journal->complained = false;
    pthread_mutex_unlock(&journal->lock);
    close(old);
    return DITHER_OK;
}

/* ---- One line ---- */

static enum journal_outcome outcome_of(const struct journal_question *entry)
{
    if (entry->result == DITHER_OK)
        return entry->answer != NULL && entry->answer->cached ? JOURNAL_CACHED : JOURNAL_ANSWERED;
    if (strncmp(entry->why->message, "interrupted", strlen("interrupted")) == 0)
        return JOURNAL_INTERRUPTED;
    return entry->result == DITHER_REFUSED || entry->result == DITHER_INVALID ? JOURNAL_REFUSED
                                                                              : JOURNAL_FAILED;
}

/* Printed once for all lines of a second. */
static void write_time(struct json_writer *json)
{
    static _Thread_local time_t printed;
    static _Thread_local char when[32];
    time_t now = time(NULL);
    struct tm parts;
    if (now != printed && gmtime_r(&now, &parts) != NULL) {
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
        printed = now;
    }
    json_member_text(json, "time", when);
}

/* What is not UTF-8 was not asked in any language that we know. */
static void write_text(struct json_writer *json, const char *key, const char *text)
{
    json_member_text(json, key, utf8_valid(text, strlen(text)) ? text : "(not UTF-8)");
}

static void write_entry(const struct journal *journal, const struct journal_question *entry,
                        enum journal_outcome outcome, struct buffer *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    write_time(&json);
    json_member_text(&json, "via", journal_via_names[entry->via]);
    write_text(&json, "who", entry->who);
    json_member_text(&json, "role", serve_role_name(entry->role));
    json_member_text(&json, "did", journal_deed_names[entry->deed]);
    if (!journal->no_text)
        write_text(&json, "question", entry->question->text);
    if (entry->question->request != NULL)
        write_text(&json, "request", entry->question->request);
    json_member_text(&json, "outcome", journal_outcome_names[outcome]);
    if (entry->result != DITHER_OK)
        json_member_text(&json, "code", failure_of(entry->result, entry->why).word);
    if (entry->answer != NULL) {
        json_write_key(&json, "cost");
        json_begin_object(&json);
        format_cost_members(&json, entry->answer->cost, entry->answer->currency);
        json_end_object(&json);
    }
    json_member_number(&json, "seconds", (double)((entry->milliseconds + TENTH - 1) / TENTH) / 10);
    json_end_object(&json);
    buffer_byte(out, '\n');
}

/* ---- Under the lock ---- */

static void lose(struct journal *journal, size_t lines)
{
    journal->counts.lost += lines;
    if (lines > 0 && !journal->complained)
        fputs("dither: the log of questions cannot be written\n", stderr);
    journal->complained = journal->complained || lines > 0;
}

static size_t count_lines(const char *text, size_t length)
{
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

/* One write, so that lines of several processes do not mix. */
static void write_waiting(struct journal *journal)
{
    struct buffer *waiting = &journal->waiting;
    if (waiting->length == 0)
        return;
    ssize_t done = write(journal->file, waiting->data, waiting->length);
    size_t written = done > 0 ? (size_t)done : 0;
    lose(journal, count_lines(waiting->data + written, waiting->length - written));
    buffer_clear(waiting);
}

static void add(struct journal *journal, const struct buffer *line)
{
    struct buffer *waiting = &journal->waiting;
    if (waiting->length + line->length > WAITING_BYTES)
        write_waiting(journal);
    if (!line->failed)
        buffer_append(waiting, line->data, line->length);
    if (line->failed || waiting->failed)
        lose(journal, 1);
    if (waiting->failed) { /* there was no memory for this one */
        write_waiting(journal);
        buffer_free(waiting);
    }
}

/* ---- For those who ask ---- */

void journal_add(struct journal *journal, const struct journal_question *entry)
{
    struct buffer line;
    if (journal == NULL)
        return;
    enum journal_outcome outcome = outcome_of(entry);
    buffer_init(&line, LINE_BYTES);
    if (journal->path != NULL)
        write_entry(journal, entry, outcome, &line);
    pthread_mutex_lock(&journal->lock);
    journal->counts.questions[entry->via][entry->deed][outcome]++;
    if (journal->path != NULL)
        add(journal, &line);
    pthread_mutex_unlock(&journal->lock);
    buffer_free(&line);
}

void journal_flush(struct journal *journal)
{
    if (journal == NULL)
        return;
    pthread_mutex_lock(&journal->lock);
    write_waiting(journal);
    pthread_mutex_unlock(&journal->lock);
}

void journal_note(struct journal *journal, const struct journal_question *entry)
{
    journal_add(journal, entry);
    journal_flush(journal);
}

struct journal_counts journal_counts(struct journal *journal)
{
    pthread_mutex_lock(&journal->lock);
    struct journal_counts counts = journal->counts;
    pthread_mutex_unlock(&journal->lock);
    return counts;
}
