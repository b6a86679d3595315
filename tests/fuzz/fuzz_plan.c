/* Feeds arbitrary text to the planner, against the policy of a small hospital: parsing, binding, planning, and printing of every
 * release for both engines. No text may stop it, and what it accepts prints. */
#include <stdlib.h>

#include "sql/parse.h"
#include "sql/plan.h"
#include "sql/print.h"
#include "tests/support/catalogue.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void print(const struct sql_plan *plan, const struct sql_dialect *dialect)
{
    struct buffer sql;
    for (size_t i = 0; i < plan->release_count; i++) {
        buffer_init(&sql, 64 << 20);
        struct sql_printer printer = {.dialect = dialect, .buffer = &sql};
        sql_print_relation(&printer, plan->releases[i]->input);
        if (sql.length == 0)
            abort();
        buffer_free(&sql);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const struct sql_catalogue *hospital;
    static struct arena kept;
    struct arena arena;
    const struct sql_plan *plan = NULL;
    const struct sql_options options = {0};
    error why = {.position = -1};
    if (hospital == NULL) {
        arena_init(&kept, 1 << 26);
        hospital = catalogue_of(catalogue_hospital, &kept);
    }
    arena_init(&arena, SQL_ARENA_BYTES);
    status result = sql_plan_bound((const char *)bytes, count, NULL, hospital, &options, &arena, &plan, &why);
    if (result == DITHER_OK) {
        print(plan, &sql_duckdb);
        print(plan, &sql_postgres);
    } else if (why.position < -1 || why.position > (int)count) {
        abort();
    }
    arena_free(&arena);
    return 0;
}
