#include "ledger/anchor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/json_text.h"

enum { ANCHOR_BYTES = 64 * 1024 };

static const char suffix[] = ".anchor";

static status io_failure(const char *doing, const char *path, error *why)
{
    int code = errno == ENOMEM ? DITHER_NO_MEMORY : DITHER_IO;
    return fail(why, (status)code, "%s the ledger's anchor %.300s failed: %s", doing, path, strerror(errno));
}

/* Makes the folder and those above it. */
static status make_folder(const char *path, error *why)
{
    char part[PATH_MAX];
    size_t length = strlen(path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            return io_failure("making the folder of", part, why);
    }
    return DITHER_OK;
}

status anchor_folder(const char *given, struct arena *arena, const char **out, error *why)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char path[PATH_MAX];
    int length;
    if (given != NULL)
        length = snprintf(path, sizeof path, "%s", given);
    else if (state != NULL && state[0] == '/')
        length = snprintf(path, sizeof path, "%s/dither", state);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, sizeof path, "%s/.local/state/dither", home);
    else
        return fail(why, DITHER_IO, "neither XDG_STATE_HOME nor HOME says where the ledger's anchor is kept");
    if (length >= PATH_MAX - 64)
        return fail(why, DITHER_INVALID, "the name of the anchor's folder is too long");
    TRY(make_folder(path, why));
    char *copy = NULL;
    TRY(arena_text(arena, path, (size_t)length, &copy, why));
    *out = copy;
    return DITHER_OK;
}

static void path_of(const char *folder, const char *id, const char *ending, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*s/%.64s%s", PATH_MAX - 100, folder, id, ending);
}

static status read_whole(int file, const char *path, struct buffer *out, error *why)
{
    char part[4096];
    for (;;) {
        ssize_t got = read(file, part, sizeof part);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return io_failure("reading", path, why);
        if (got == 0)
            return buffer_check(out, why);
        buffer_append(out, part, (size_t)got);
    }
}

static status read_text(const char *text, size_t size, const char *path, struct arena *arena,
                        struct anchor *out, error *why)
{
    struct json_reader reader = {.next = text, .end = text + size, .arena = arena};
    struct anchor anchor = {0};
    json_take(&reader, "{\"anchor\":1,\"ledger\":");
    const char *id = json_take_string(&reader);
    json_take(&reader, ",\"dataset\":");
    anchor.dataset = json_take_string(&reader);
    json_take(&reader, ",\"location\":");
    anchor.location = json_take_string(&reader);
    json_take(&reader, ",\"entry\":");
    anchor.number = json_take_number(&reader);
    json_take(&reader, ",\"hash\":");
    anchor.hash = json_take_digest(&reader);
    json_take(&reader, ",\"spent\":");
    anchor.spent = json_take_cost(&reader);
    json_take(&reader, "}\n");
    if (reader.no_memory)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    if (reader.failed || reader.next != reader.end || id == NULL || strlen(id) != ENTRY_ID_TEXT - 1 ||
        anchor.dataset == NULL || anchor.location == NULL)
        return fail(why, DITHER_REFUSED, "the ledger's anchor %.300s is damaged", path);
    memcpy(anchor.id, id, ENTRY_ID_TEXT);
    *out = anchor;
    return DITHER_OK;
}

static status read_file(const char *path, struct arena *arena, struct anchor *out, bool *found, error *why)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    *found = file >= 0;
    if (file < 0 && errno == ENOENT)
        return DITHER_OK;
    if (file < 0)
        return io_failure("opening", path, why);
    struct buffer text;
    buffer_init(&text, ANCHOR_BYTES);
    status result = read_whole(file, path, &text, why);
    if (result == DITHER_OK)
        result = read_text(text.data != NULL ? text.data : "", text.length, path, arena, out, why);
    buffer_free(&text);
    close(file);
    return result;
}

status anchor_read(const char *folder, const char *id, struct arena *arena, struct anchor *out, bool *found,
                   error *why)
{
    char path[PATH_MAX];
    path_of(folder, id, suffix, path);
    TRY(read_file(path, arena, out, found, why));
    if (*found && strcmp(out->id, id) != 0)
        return fail(why, DITHER_REFUSED, "the ledger's anchor %.300s is another's", path);
    return DITHER_OK;
}

static status refuse_if_same(const char *path, const char *location, const char *dataset, const char *id,
                             error *why)
{
    struct arena arena;
    struct anchor anchor;
    bool found;
    char spent[LEDGER_COST_TEXT];
    arena_init(&arena, 1 << 20);
    status result = read_file(path, &arena, &anchor, &found, why);
    if (result == DITHER_OK && found && strcmp(anchor.id, id) != 0 &&
        strcmp(anchor.location, location) == 0 && strcmp(anchor.dataset, dataset) == 0) {
        bool rho = !decimal_is_zero(anchor.spent.rho);
        ledger_cost_print(anchor.spent, rho ? LEDGER_CONCENTRATED : LEDGER_APPROXIMATE, spent);
        result = fail(why, DITHER_REFUSED,
                      "the ledger of %.60s at %.150s is gone: its anchor knows of %" PRIu64
                      " entries and %s spent. Put it back, or choose a new dataset name (anchor: %.120s)",
                      dataset, location, anchor.number, spent, path);
    }
    arena_free(&arena);
    return result;
}

status anchor_refuse_absent(const char *folder, const char *location, const char *dataset, const char *id,
                            error *why)
{
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return io_failure("looking for", folder, why);
    status result = DITHER_OK;
    errno = 0;
    for (struct dirent *file; result == DITHER_OK && (file = readdir(directory)) != NULL; errno = 0) {
        char path[PATH_MAX];
        size_t length = strlen(file->d_name);
        if (length != ENTRY_ID_TEXT - 1 + sizeof suffix - 1 ||
            strcmp(file->d_name + ENTRY_ID_TEXT - 1, suffix) != 0)
            continue;
        path_of(folder, file->d_name, "", path);
        result = refuse_if_same(path, location, dataset, id, why);
    }
    if (result == DITHER_OK && errno != 0)
        result = io_failure("looking for", folder, why);
    closedir(directory);
    return result;
}

static status write_whole(int file, const char *path, const struct buffer *text, error *why)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t put = write(file, text->data + done, text->length - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return io_failure("writing", path, why);
        done += (size_t)put;
    }
    if (fsync(file) != 0)
        return io_failure("syncing", path, why);
    return DITHER_OK;
}

static status sync_folder(const char *folder, error *why)
{
    int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return io_failure("syncing", folder, why);
    status result = DITHER_OK;
    if (fsync(directory) != 0)
        result = io_failure("syncing", folder, why);
    close(directory);
    return result;
}

/* Replaces the anchor: after a crash there is the old one or the new one, whole. The folder is synced only
 * for a first anchor: a replacement that is lost with the power leaves one that lags, which the rule allows
 * for. */
static status replace(const char *folder, const char *id, const struct buffer *text, bool first, error *why)
{
    char path[PATH_MAX], fresh[PATH_MAX];
    path_of(folder, id, suffix, path);
    path_of(folder, id, ".new", fresh);
    int file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return io_failure("writing", fresh, why);
    status result = write_whole(file, fresh, text, why);
    close(file);
    if (result == DITHER_OK && rename(fresh, path) != 0)
        result = io_failure("replacing", path, why);
    if (result == DITHER_OK && first)
        result = sync_folder(folder, why);
    return result;
}

static status refuse_twin(uint64_t number, error *why)
{
    return fail(why, DITHER_REFUSED,
                "entry %" PRIu64
                " is not the one that the ledger's anchor knows: it was rewritten, or a copy "
                "of this ledger is in use",
                number);
}

struct wanted_row {
    uint64_t number;
    struct digest hash;
    bool same;
};

static status compare_row(void *context, const struct store_row *row, error *why)
{
    (void)why;
    struct wanted_row *wanted = context;
    if (row->number == wanted->number)
        wanted->same = digest_equal(&row->hash, &wanted->hash);
    return DITHER_OK;
}

/* The row of an older anchor is looked up once: the rows before the last do not change under a handle. */
static status check_row(struct store *store, const struct state *state, const struct anchor *anchor,
                        error *why)
{
    struct wanted_row wanted = {.number = anchor->number, .hash = anchor->hash};
    if (anchor->number > state->number)
        return fail(why, DITHER_REFUSED,
                    "the ledger's anchor knows of %" PRIu64 " entries, and the ledger has %" PRIu64
                    ": an old copy was put back, or a copy of it is in use",
                    anchor->number, state->number);
    if (anchor->number == state->number)
        wanted.same = digest_equal(&anchor->hash, &state->hash);
    else
        TRY(store->kind->read(store, anchor->number, compare_row, &wanted, why));
    return wanted.same ? DITHER_OK : refuse_twin(anchor->number, why);
}

status anchor_check(const char *folder, struct store *store, const struct state *state,
                    struct anchor_mark *last, error *why)
{
    struct arena arena;
    struct anchor anchor;
    bool found = false;
    arena_init(&arena, 1 << 20);
    status result = anchor_read(folder, state->id, &arena, &anchor, &found, why);
    if (result == DITHER_OK && found &&
        !(anchor.number == last->number && digest_equal(&anchor.hash, &last->hash))) {
        result = check_row(store, state, &anchor, why);
        if (result == DITHER_OK)
            *last = (struct anchor_mark){anchor.number, anchor.hash};
    }
    arena_free(&arena);
    return result;
}

static void write_text(const char *location, const struct anchor *anchor, const char *dataset,
                       struct buffer *out)
{
    buffer_text(out, "{\"anchor\":1,\"ledger\":");
    json_text_string(out, anchor->id);
    buffer_text(out, ",\"dataset\":");
    json_text_string(out, dataset);
    buffer_text(out, ",\"location\":");
    json_text_string(out, location);
    buffer_text(out, ",\"entry\":");
    json_text_number(out, anchor->number);
    buffer_text(out, ",\"hash\":");
    json_text_digest(out, &anchor->hash);
    buffer_text(out, ",\"spent\":");
    json_text_cost(out, anchor->spent);
    buffer_text(out, "}\n");
}

static status advance_locked(const char *folder, const char *location, const struct state *state, error *why)
{
    struct arena arena;
    struct buffer text;
    struct anchor old, new = {.number = state->number,
                              .hash = state->hash,
                              .spent = spending_lifetime(&state->holders[HOLDER_DATASET_PLACE].spending)};
    bool found;
    memcpy(new.id, state->id, sizeof new.id);
    arena_init(&arena, 1 << 20);
    buffer_init(&text, ANCHOR_BYTES);
    status result = anchor_read(folder, state->id, &arena, &old, &found, why);
    if (result == DITHER_OK && found && old.number == new.number && !digest_equal(&old.hash, &new.hash))
        result = refuse_twin(new.number, why);
    bool further = result == DITHER_OK && found && old.number >= new.number;
    if (result == DITHER_OK && !(further && strcmp(old.location, location) == 0)) {
        write_text(location, further ? &old : &new, state->config.dataset, &text);
        result = buffer_check(&text, why);
        if (result == DITHER_OK)
            result = replace(folder, state->id, &text, !found, why);
    }
    buffer_free(&text);
    arena_free(&arena);
    return result;
}

status anchor_advance(const char *folder, const char *location, const struct state *state, error *why)
{
    char path[PATH_MAX];
    path_of(folder, state->id, ".lock", path);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0)
        return io_failure("locking", path, why);
    status result = DITHER_OK;
    while (flock(lock, LOCK_EX) != 0 && result == DITHER_OK)
        if (errno != EINTR)
            result = io_failure("locking", path, why);
    if (result == DITHER_OK)
        result = advance_locked(folder, location, state, why);
    close(lock);
    return result;
}
