/* Feeds arbitrary bytes to the CSV reader (fuzz preset). Start from tests/base/corpus/csv. */
#include <stddef.h>
#include <stdint.h>

#include "base/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static status ignore(void *context, const struct csv_record *record, error *why)
{
    (void)context;
    (void)record;
    (void)why;
    return DITHER_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    const struct csv_options options = {.name = "fuzz", .record_bytes = 4096, .columns = 64};
    error why;
    status result = csv_read_bytes(bytes, count, &options, ignore, NULL, &why);
    return result == DITHER_OK || result == DITHER_INVALID ? 0 : -1;
}
