/* Feeds arbitrary bytes to the readers of PostgreSQL's protocol: as a first packet, as later messages one behind the
 * other, as parameters of every type (fuzz preset). Start from tests/base/corpus/wire. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "serve/wire_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void read_bound(const struct wire_message *message)
{
    static const uint32_t types[] = {0, 16, 20, 21, 23, 25, 700, 701, 1082, 1114, 1186, 1700, 4711};
    struct cursor values = message->as.bind.values;
    struct wire_value value;
    struct arena arena;
    struct sql_value read;
    arena_init(&arena, 1 << 22);
    for (size_t i = 0; wire_next_value(&values, &value); i++)
        for (size_t j = 0; j < sizeof types / sizeof types[0] && i < 64; j++)
            (void)!wire_read_value(&value, types[j], wire_format_at(&message->as.bind.parameter_formats, i),
                                   &arena, &read, NULL);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct wire_opening opening;
    struct wire_message message;
    struct wire_sasl_first first;
    const char *name = NULL, *value = NULL;
    size_t used = 0;
    error why;
    if (wire_read_opening(bytes, count, &opening, &used, &why) == WIRE_DONE && opening.kind == WIRE_STARTUP)
        while (wire_next_parameter(&opening.parameters, &name, &value))
            continue;
    while (wire_read_message(bytes, count, WIRE_MESSAGE_BYTES, &message, &used, &why) == WIRE_DONE) {
        if (used == 0 || used > count)
            abort();
        if (message.kind == WIRE_BIND)
            read_bound(&message);
        if (message.kind == WIRE_PASSWORD)
            (void)wire_read_sasl_first(message.as.sign_in, &first);
        bytes += used;
        count -= used;
    }
    return 0;
}
