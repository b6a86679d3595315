/* Feeds arbitrary lines, as text and as bytes, to every oracle's reader of reports (fuzz preset). */
#include <stdlib.h>

#include "local/oracle.h"
#include "local/report_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void feed(const struct local_oracle *oracle, const uint8_t *bytes, size_t count)
{
    struct local_tally tally;
    unsigned char report[64];
    double support[16];
    error why;
    if (oracle->report_bytes > sizeof report || local_tally_init(&tally, oracle, &why) != DITHER_OK)
        abort();
    if (report_read((const char *)bytes, count, report, oracle->report_bytes) &&
        local_tally_add(&tally, oracle, report, oracle->report_bytes, &why) != DITHER_OK)
        abort();
    status result = local_tally_add(&tally, oracle, bytes, count, &why);
    if ((result == DITHER_OK) != (count % oracle->report_bytes == 0) ||
        oracle->kind->support(oracle, &tally, support, &why) != DITHER_OK)
        abort();
    local_tally_free(&tally);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    for (size_t k = 0; local_oracle_kind_at(k) != NULL; k++) {
        struct local_setting setting = {.domain = 11, .epsilon = 1};
        struct local_oracle oracle;
        error why;
        if (local_oracle_init(&oracle, local_oracle_kind_at(k), &setting, &why) != DITHER_OK)
            abort();
        if (oracle.cells < 1 << 16 && oracle.report_bytes <= 64)
            feed(&oracle, bytes, count);
    }
    return 0;
}
