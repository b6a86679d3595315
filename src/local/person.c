#include "local/person.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "local/person_file.h"

struct person {
    int file;
    bool failed; /* a write did not come through: what the disk has is not known */
    struct person_state state;
    char path[4096];
};

static status io_failure(const char *doing, const char *path, error *why)
{
    return fail(why, DITHER_IO, "cannot %s %.200s: %s", doing, path, strerror(errno));
}

static status write_all(int file, const char *path, const struct buffer *text, error *why)
{
    TRY(buffer_check(text, why));
    for (size_t done = 0; done < text->length;) {
        ssize_t put = write(file, text->data + done, text->length - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return io_failure("write", path, why);
        done += (size_t)put;
    }
    return fsync(file) == 0 ? DITHER_OK : io_failure("sync", path, why);
}

/* A new file's name must be as durable as what is in it. */
static status sync_folder(const char *path, error *why)
{
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", path);
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = folder >= 0 && fsync(folder) == 0;
    status result = synced ? DITHER_OK : io_failure("sync the folder of", path, why);
    if (folder >= 0)
        close(folder);
    return result;
}

static status check_cap(double cap, error *why)
{
    return cap > 0 && isfinite(cap) ? DITHER_OK
                                    : fail(why, DITHER_INVALID, "a lifetime cap is a number above 0");
}

/* Whoever is killed between making the name and writing the text leaves an empty file, which may be filled. */
status person_create(const char *path, double cap, error *why)
{
    TRY(check_cap(cap, why));
    if (strlen(path) >= sizeof((struct person *)0)->path)
        return fail(why, DITHER_INVALID, "the name of the person's file is too long");
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return io_failure("make", path, why);
    struct stat found;
    struct buffer text;
    buffer_init(&text, 4096);
    buffer_text(&text, PERSON_HEADER);
    person_write_cap(&text, cap);
    status result = DITHER_OK;
    if (flock(file, LOCK_EX) != 0 || fstat(file, &found) != 0)
        result = io_failure("lock", path, why);
    else if (found.st_size > 0 || !S_ISREG(found.st_mode))
        result = fail(why, DITHER_REFUSED, "%.200s is there already: an account is not begun twice", path);
    if (result == DITHER_OK)
        result = write_all(file, path, &text, why);
    if (result == DITHER_OK)
        result = sync_folder(path, why);
    buffer_free(&text);
    close(file);
    return result;
}

static status read_all(struct person *person, size_t size, error *why)
{
    char *text = memory_allocate(size + 1);
    status result = DITHER_OK;
    size_t length = 0;
    if (text == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for the file of a person");
    while (result == DITHER_OK && length < size) {
        ssize_t got = read(person->file, text + length, size - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            result = io_failure("read", person->path, why);
        else
            length += (size_t)got;
    }
    while (length > 0 && text[length - 1] != '\n') /* what was being written when the client died */
        length--;
    error inner;
    if (result == DITHER_OK && person_read(&person->state, text, length, &inner) != DITHER_OK)
        result = fail(why, DITHER_INVALID, "%.200s %s", person->path, inner.message);
    if (result == DITHER_OK && (ftruncate(person->file, (off_t)length) != 0 ||
                                lseek(person->file, (off_t)length, SEEK_SET) != (off_t)length))
        result = io_failure("mend", person->path, why);
    memory_release(text, size + 1);
    return result;
}

static status load(struct person *person, error *why)
{
    struct stat found;
    person->file = open(person->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (person->file < 0)
        return io_failure("open", person->path, why);
    while (flock(person->file, LOCK_EX) != 0)
        if (errno != EINTR)
            return io_failure("lock", person->path, why);
    if (fstat(person->file, &found) != 0)
        return io_failure("read", person->path, why);
    if (!S_ISREG(found.st_mode) || found.st_size > PERSON_FILE_LIMIT)
        return fail(why, DITHER_INVALID, "%.200s is not a person's file", person->path);
    return read_all(person, (size_t)found.st_size, why);
}

status person_open(struct person **out, const char *path, error *why)
{
    if (strlen(path) >= sizeof((struct person *)0)->path)
        return fail(why, DITHER_INVALID, "the name of the person's file is too long");
    struct person *person = memory_allocate(sizeof *person);
    if (person == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a person");
    person->file = -1;
    strcpy(person->path, path);
    arena_init(&person->state.arena, (size_t)4 * PERSON_FILE_LIMIT);
    status result = load(person, why);
    if (result == DITHER_OK)
        *out = person;
    else
        person_close(person);
    return result;
}

void person_close(struct person *person)
{
    if (person == NULL)
        return;
    if (person->file >= 0)
        close(person->file);
    arena_free(&person->state.arena);
    memory_release(person, sizeof *person);
}

struct person_account person_account(const struct person *person)
{
    return person->state.account;
}

/* Appends the lines and waits until they are on the disk. After a failure nothing is written any more: the file may have half a
 * line, which the next who opens it cuts off. */
static status append(struct person *person, const struct buffer *text, error *why)
{
    if (person->failed)
        return fail(why, DITHER_IO, "%.200s could not be written before", person->path);
    status result = write_all(person->file, person->path, text, why);
    person->failed = result != DITHER_OK;
    return result;
}

status person_lower_cap(struct person *person, double cap, error *why)
{
    TRY(check_cap(cap, why));
    if (cap >= person->state.account.cap)
        return fail(why, DITHER_INVALID, "a lifetime cap can only be lowered");
    struct buffer text;
    buffer_init(&text, 4096);
    person_write_cap(&text, cap);
    status result = append(person, &text, why);
    if (result == DITHER_OK)
        person->state.account.cap = cap;
    buffer_free(&text);
    return result;
}

/* What would be spent, or a refusal. */
static status check_spending(const struct person *person, double epsilon, double *spent, error *why)
{
    assert(epsilon > 0);
    *spent = person_sum(person->state.account.spent, epsilon);
    if (*spent <= person->state.account.cap)
        return DITHER_OK;
    char cap[NUMBER_TEXT], cost[NUMBER_TEXT], before[NUMBER_TEXT];
    number_print(person->state.account.cap, cap);
    number_print(epsilon, cost);
    number_print(person->state.account.spent, before);
    return fail(why, DITHER_REFUSED, "this would cost %s, and %s of the lifetime cap of %s are spent", cost,
                before, cap);
}

status person_spend(struct person *person, double epsilon, error *why)
{
    double spent = 0;
    TRY(check_spending(person, epsilon, &spent, why));
    struct buffer text;
    buffer_init(&text, 4096);
    person_write_spend(&text, epsilon);
    status result = append(person, &text, why);
    if (result == DITHER_OK)
        person->state.account.spent = spent;
    buffer_free(&text);
    return result;
}

/* ---- Reports from memos ---- */

/* NAME/HASH: two settings of one survey have nothing in common that a memo could serve. */
static status name_survey(const char *name, const struct local_lasting *lasting, char out[PERSON_SURVEY_TEXT],
                          error *why)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    const struct local_lasting_setting *setting = &lasting->setting;
    size_t length = strlen(name);
    char text[256];
    if (length == 0 || length > PERSON_SURVEY_NAME || strspn(name, allowed) != length)
        return fail(why, DITHER_INVALID,
                    "the name of a survey has 1 to %d letters, digits, dots, dashes or underscores",
                    PERSON_SURVEY_NAME);
    int written = snprintf(text, sizeof text, "%s %u %a %a %u %u %u %" PRIu64, lasting->kind->name,
                           setting->domain, setting->epsilon, setting->permanent, setting->bits,
                           setting->hashes, setting->width, setting->seed);
    assert(written > 0 && (size_t)written < sizeof text);
    snprintf(out, PERSON_SURVEY_TEXT, "%s/%016" PRIx64, name, person_hash(text, (size_t)written));
    return DITHER_OK;
}

static const struct person_entry *find(const struct person *person, const char *survey, bool identity,
                                       uint32_t key, size_t length)
{
    for (const struct person_entry *entry = person->state.entries; entry != NULL; entry = entry->next)
        if (entry->identity == identity && entry->key == key && entry->length == length &&
            strcmp(entry->survey, survey) == 0)
            return entry;
    return NULL;
}

/* Room for what is drawn before it is on the disk. */
struct draft {
    struct person_entry identity, memo;
    bool new_identity;
};

/* Spending first, then what was bought: a file that ends in between has paid for nothing, never got something for nothing. */
static status buy_memo(struct person *person, const struct local_lasting *lasting, struct draft *draft,
                       struct random *random, error *why)
{
    double cost = local_lasting_cost(lasting), spent = 0;
    TRY(check_spending(person, cost, &spent, why));
    TRY(lasting->kind->memorise(lasting, draft->identity.bytes, draft->memo.key, random, draft->memo.bytes,
                                why));
    struct buffer text;
    buffer_init(&text, PERSON_FILE_LIMIT);
    person_write_spend(&text, cost);
    if (draft->new_identity)
        person_write_entry(&text, &draft->identity);
    person_write_entry(&text, &draft->memo);
    status result = append(person, &text, why);
    buffer_free(&text);
    if (result == DITHER_OK) {
        person->state.account.spent = spent;
        if (draft->new_identity)
            result = person_keep(&person->state, &draft->identity, why);
    }
    return result == DITHER_OK ? person_keep(&person->state, &draft->memo, why) : result;
}

/* The identity of old, or a new one; then the memo of the value's key, old or new. */
static status prepare(struct person *person, const struct local_lasting *lasting, uint32_t value,
                      struct draft *draft, struct random *random, error *why)
{
    const struct person_entry *known = find(person, draft->identity.survey, true, 0, lasting->identity_bytes);
    draft->new_identity = lasting->identity_bytes > 0 && known == NULL;
    if (known != NULL)
        memcpy(draft->identity.bytes, known->bytes, known->length);
    if (known != NULL && !lasting->kind->check(lasting, draft->identity.bytes))
        draft->new_identity = true;
    if (draft->new_identity)
        TRY(lasting->kind->identify(lasting, random, draft->identity.bytes, why));
    draft->memo.key = lasting->kind->key(lasting, draft->identity.bytes, value);
    const struct person_entry *memo =
        draft->new_identity ? NULL
                            : find(person, draft->memo.survey, false, draft->memo.key, lasting->memo_bytes);
    if (memo == NULL)
        return buy_memo(person, lasting, draft, random, why);
    memcpy(draft->memo.bytes, memo->bytes, memo->length);
    return DITHER_OK;
}

status person_report(struct person *person, const char *survey, const struct local_lasting *lasting,
                     uint32_t value, struct random *random, unsigned char *report, error *why)
{
    assert(value < lasting->setting.domain);
    struct draft draft = {.identity = {.identity = true, .length = lasting->identity_bytes},
                          .memo = {.length = lasting->memo_bytes}};
    memset(report, 0, lasting->oracle.report_bytes);
    TRY(name_survey(survey, lasting, draft.memo.survey, why));
    memcpy(draft.identity.survey, draft.memo.survey, sizeof draft.identity.survey);
    size_t bytes = lasting->identity_bytes + lasting->memo_bytes;
    unsigned char *memory = memory_allocate(bytes);
    if (memory == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a memo");
    draft.identity.bytes = memory;
    draft.memo.bytes = memory + lasting->identity_bytes;
    status result = prepare(person, lasting, value, &draft, random, why);
    if (result == DITHER_OK)
        result = lasting->kind->report(lasting, draft.identity.bytes, draft.memo.bytes, random, report, why);
    if (result != DITHER_OK)
        memset(report, 0, lasting->oracle.report_bytes);
    memory_release(memory, bytes);
    return result;
}
