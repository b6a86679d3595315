#include "cli/local_strings.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

enum { PIECE = 1024 };

status local_spool_add(struct local_spool *spool, const unsigned char *report, error *why)
{
    if (spool->file == NULL)
        spool->file = tmpfile();
    if (spool->file == NULL || fwrite(report, spool->report_bytes, 1, spool->file) != 1)
        return fail(why, DITHER_IO, "cannot write a temporary file: %s", strerror(errno));
    return DITHER_OK;
}

void local_spool_close(struct local_spool *spool)
{
    if (spool->file != NULL)
        fclose(spool->file);
    spool->file = NULL;
}

status local_spool_replay(void *context, prefix_visit *visit, void *visitor, error *why)
{
    const struct local_spool *spool = context;
    unsigned char piece[PIECE * (4 * (3 + PREFIX_CHUNKS))];
    if (spool->file == NULL)
        return DITHER_OK;
    rewind(spool->file);
    for (size_t count; (count = fread(piece, spool->report_bytes, PIECE, spool->file)) > 0;)
        visit(visitor, piece, count * spool->report_bytes);
    if (ferror(spool->file))
        return fail(why, DITHER_IO, "cannot read a temporary file: %s", strerror(errno));
    return DITHER_OK;
}

status local_strings_find(const struct prefix_source *source, const struct prefix *prefix,
                          const struct local_estimate_request *request, struct local_strings *out, error *why)
{
    const struct prefix_search search = {
        .keep = request->keep != 0 ? (uint32_t)fmin((double)request->keep, 1e9) : LOCAL_KEEP,
        .confidence = request->confidence};
    out->hitters = memory_allocate(PREFIX_KEEP_LIMIT * sizeof *out->hitters);
    if (out->hitters == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for the strings");
    return prefix_find(source, prefix, &search, out->hitters, &out->found, why);
}

void local_strings_free(struct local_strings *strings)
{
    memory_release(strings->hitters, PREFIX_KEEP_LIMIT * sizeof *strings->hitters);
    strings->hitters = NULL;
}

const char *local_string_shown(const struct prefix_hitter *hitter, char out[LOCAL_STRING_SHOWN])
{
    const char *text = hitter->text;
    bool plain = utf8_valid(text, strlen(text));
    for (const char *next = text; *next != '\0'; next++)
        plain = plain && ((unsigned char)*next >= ' ' && *next != 0x7f);
    char *end = out;
    for (const char *next = text; *next != '\0'; next++)
        end += snprintf(end, 5, plain ? "%c" : "\\x%02x", plain ? *next : (unsigned char)*next);
    *end = '\0';
    return out;
}
