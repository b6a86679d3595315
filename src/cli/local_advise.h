/* local_advise.h - the comparisons that `dither local advise` prints, as rows of one table. */
#ifndef CLI_LOCAL_ADVISE_H
#define CLI_LOCAL_ADVISE_H

#include "cli/local.h"

enum { ADVISE_ROWS = 64 };

struct advise_request {
    uint64_t domain, people, attributes;
    double epsilon, permanent;
    struct local_range range;
    const char *plot;
    enum cli_format format;
};

struct advise_row {
    uint32_t asked; /* several questions: how many of them; else 0 */
    const char *mechanism;
    double standard_error;
    double report_bytes, counters; /* NAN: not told */
    double lifetime;               /* repeated questions: what a person can ever lose; else NAN */
};

/* Each writes rows, best first (several questions: by how many are asked), and says how many. */
size_t advise_values(const struct advise_request *request, struct advise_row out[ADVISE_ROWS]);
size_t advise_numbers(const struct advise_request *request, struct advise_row out[ADVISE_ROWS]);
size_t advise_repeated(const struct advise_request *request, struct advise_row out[ADVISE_ROWS]);
size_t advise_several(const struct advise_request *request, struct advise_row out[ADVISE_ROWS]);

/* Error against epsilon for each mechanism; or against the number of questions asked. */
status advise_draw(const struct advise_request *request, error *why) MUST_CHECK;

/* The comparison that the request asks for. */
size_t advise_rows(const struct advise_request *request, struct advise_row out[ADVISE_ROWS]);

#endif
