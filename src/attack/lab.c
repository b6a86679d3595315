/* A scratch directory with made-up data, and Dither opened on it. */
#include "attack/lab.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum {
    PATH_BYTES = 500,
    NAME_BYTES = 64,
    OPEN_FILES = 8, /* while a directory is removed */
};

struct lab {
    char directory[PATH_BYTES];
    char policy[PATH_BYTES + NAME_BYTES];
    struct buffer text;
    dither_curator *curator;
    struct lab *next;
};

/* Those whose directory exists, for lab_remove_all. */
static struct lab *standing;
static pthread_mutex_t standing_lock = PTHREAD_MUTEX_INITIALIZER;

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about;
    (void)kind;
    (void)walk;
    (void)remove(path); /* what is left makes the directory's own removal fail, and nothing else */
    return 0;
}

static void remove_directory(const struct lab *lab)
{
    (void)nftw(lab->directory, remove_one, OPEN_FILES, FTW_DEPTH | FTW_PHYS);
}

void lab_remove_all(void)
{
    pthread_mutex_lock(&standing_lock);
    for (const struct lab *lab = standing; lab != NULL; lab = lab->next)
        remove_directory(lab);
    pthread_mutex_unlock(&standing_lock);
}

static status make_directory(struct lab *lab, error *why)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || *place == '\0')
        place = "/tmp";
    int length = snprintf(lab->directory, sizeof lab->directory, "%s/dither-attack-XXXXXX", place);
    if (length < 0 || (size_t)length >= sizeof lab->directory)
        return fail(why, DITHER_INVALID, "the name of the directory for temporary files is too long");
    if (mkdtemp(lab->directory) == NULL)
        return fail(why, DITHER_IO, "%.200s: no directory can be made there: %s", place, strerror(errno));
    return DITHER_OK;
}

status lab_new(struct lab **out, error *why)
{
    struct lab *lab = memory_allocate(sizeof *lab);
    if (lab == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for an attack");
    buffer_init(&lab->text, LAB_TEXT_BYTES);
    pthread_mutex_lock(&standing_lock);
    status result = make_directory(lab, why);
    if (result == DITHER_OK) {
        lab->next = standing;
        standing = lab;
    }
    pthread_mutex_unlock(&standing_lock);
    if (result != DITHER_OK) {
        memory_release(lab, sizeof *lab);
        return result;
    }
    *out = lab;
    return DITHER_OK;
}

void lab_free(struct lab *lab)
{
    if (lab == NULL)
        return;
    dither_close(lab->curator);
    pthread_mutex_lock(&standing_lock);
    struct lab **link = &standing;
    while (*link != lab)
        link = &(*link)->next;
    *link = lab->next;
    remove_directory(lab);
    pthread_mutex_unlock(&standing_lock);
    buffer_free(&lab->text);
    memory_release(lab, sizeof *lab);
}

const char *lab_directory(const struct lab *lab)
{
    return lab->directory;
}

const char *lab_policy(const struct lab *lab)
{
    return lab->policy;
}

struct buffer *lab_text(struct lab *lab)
{
    buffer_clear(&lab->text);
    return &lab->text;
}

static status write_all(int file, const struct buffer *text, const char *path, error *why)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t written = write(file, text->data + done, text->length - done);
        if (written < 0 && errno != EINTR)
            return fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
        done += written > 0 ? (size_t)written : 0;
    }
    return DITHER_OK;
}

status lab_save(struct lab *lab, const char *name, error *why)
{
    char path[PATH_BYTES + NAME_BYTES];
    assert(strlen(name) < NAME_BYTES - 1);
    TRY(buffer_check(&lab->text, why));
    snprintf(path, sizeof path, "%s/%s", lab->directory, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    status result = write_all(file, &lab->text, path, why);
    if (close(file) != 0 && result == DITHER_OK)
        result = fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    return result;
}

static status save_policy(struct lab *lab, error *why)
{
    static const char name[] = "policy.yaml";
    snprintf(lab->policy, sizeof lab->policy, "%s/%s", lab->directory, name);
    return lab_save(lab, name, why);
}

status lab_save_policy(struct lab *lab, const char *epsilon, const char *extra, error *why)
{
    struct buffer *text = &lab->text;
    buffer_format(text, "budget:\n  epsilon: %s\n", epsilon);
    if (extra != NULL)
        buffer_format(text, "  %s\n", extra);
    buffer_text(text, "analysts:\n  eve:\n");
    return save_policy(lab, why);
}

static status open_saved(struct lab *lab, error *why)
{
    dither_close(lab->curator);
    lab->curator = NULL;
    const dither_open_options options = {.state_directory = lab->directory};
    return dither_open(lab->policy, &options, &lab->curator, why);
}

status lab_open(struct lab *lab, const char *epsilon, const char *extra, error *why)
{
    TRY(lab_save_policy(lab, epsilon, extra, why));
    return open_saved(lab, why);
}

status lab_open_written(struct lab *lab, error *why)
{
    TRY(save_policy(lab, why));
    return open_saved(lab, why);
}

status lab_ask(struct lab *lab, const char *sql, const char *epsilon, dither_answer **out, error *why)
{
    const dither_ask_options options = {.analyst = "eve", .epsilon = epsilon};
    return dither_ask(lab->curator, sql, &options, out, why);
}

status lab_ask_number(struct lab *lab, const char *sql, const char *epsilon, double *out, error *why)
{
    dither_answer *answer = NULL;
    TRY(lab_ask(lab, sql, epsilon, &answer, why));
    assert(dither_answer_rows(answer) == 1 && dither_answer_columns(answer) == 1);
    *out = dither_cell_number(answer, 0, 0);
    dither_answer_free(answer);
    return DITHER_OK;
}

void lab_share(const char *epsilon, uint64_t pieces, char out[DECIMAL_TEXT])
{
    struct decimal all = decimal_zero();
    if (decimal_parse(epsilon, &all, NULL) != DITHER_OK)
        all = decimal_zero();
    decimal_print(decimal_share(all, 1, pieces), out);
}
