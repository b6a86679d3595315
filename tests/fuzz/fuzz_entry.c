/* Feeds arbitrary bytes to the reader of ledger entries (fuzz preset). What it accepts must be the one text
 * of what it read. Start from the bodies of any ledger: sqlite3 LEDGER 'SELECT body FROM entry'. */
#include <stdlib.h>
#include <string.h>

#include "ledger/entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct arena arena;
    struct buffer again;
    struct entry entry;
    arena_init(&arena, 1 << 26);
    buffer_init(&again, ENTRY_BYTES);
    if (entry_read((const char *)bytes, count, &arena, &entry, NULL) == DITHER_OK) {
        entry_write(&entry, &again);
        if (again.failed || again.length != count || memcmp(again.data, bytes, count) != 0)
            abort();
    }
    buffer_free(&again);
    arena_free(&arena);
    return 0;
}
