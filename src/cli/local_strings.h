/* local_strings.h - frequent strings: reports that are gone through more than once, and what is found, ready to be shown. */
#ifndef CLI_LOCAL_STRINGS_H
#define CLI_LOCAL_STRINGS_H

#include <stdio.h>

#include "cli/local.h"
#include "local/prefix.h"

/* Reports that come once, kept in a file without a name. All zero is empty. */
struct local_spool {
    FILE *file;
    size_t report_bytes;
};
status local_spool_add(struct local_spool *spool, const unsigned char *report, error *why) MUST_CHECK;
void local_spool_close(struct local_spool *spool);

/* The context is the spool. */
status local_spool_replay(void *context, prefix_visit *visit, void *visitor, error *why) MUST_CHECK;

struct local_strings {
    struct prefix_hitter *hitters; /* owned; room for PREFIX_KEEP_LIMIT */
    struct prefix_found found;
};
status local_strings_find(const struct prefix_source *source, const struct prefix *prefix,
                          const struct local_estimate_request *request, struct local_strings *out,
                          error *why) MUST_CHECK;
void local_strings_free(struct local_strings *strings);

/* The text, or, where it is no text or would move the cursor, its bytes in hexadecimal. */
enum { LOCAL_STRING_SHOWN = 4 * PREFIX_LENGTH_LIMIT + 1 };
const char *local_string_shown(const struct prefix_hitter *hitter, char out[LOCAL_STRING_SHOWN]);

#endif
