/* engine.h - where the rows are.
 *
 * An engine opens the policy's data source read-only, says what is in it, and runs releases: one aggregate
 * query each, bounding included, whole numbers out. It never sees a budget and draws no noise; what it returns
 * is exact and private, and only the curator may hold it, until the noise is on it.
 *
 *     TRY(engine_open(policy, &options, &engine, why));
 *     catalogue = engine_catalogue(engine);
 *     TRY(engine_begin(engine, why));                    one snapshot for all releases of a question
 *     TRY(engine_release(engine, &request, arena, &groups, why));
 *     engine_end(engine);
 *
 * Laws of every engine (tests/engine runs them all):
 *  - Opening is the owner's act: its messages may name files, lines and columns, never a value.
 *  - engine_release fails only for reasons that do not depend on private rows, or with DITHER_IO and the fixed
 *    text ENGINE_FAILED; nothing that the data source said reaches `why`. engine_complaint has it for the owner.
 *  - Its result is a function of the rows and the request, whatever order rows are stored in, however many
 *    threads run. With a fresh request.hash_key the choice of groups is fresh.
 *  - One unit more or less changes the result as release.h promises.
 *  - What is in the data source and not in the policy cannot be reached. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "policy/policy.h"
#include "sql/plan.h"
#include "sql/print.h"

#define ENGINE_FAILED "the data source failed; the charge stays, and the owner has been told"

struct engine;
struct scratch;

/* What does not fit between policy and data: one finding a call, a line for the owner. */
enum engine_severity { ENGINE_WRONG, ENGINE_COSTLY };
typedef void (*engine_report)(void *context, enum engine_severity severity, const char *line);

struct engine_options {
    uint64_t memory_bytes; /* 0: the engine's default */
    unsigned threads;      /* 0: all cores */
    /* For the owner: a line about what is being done ("importing visits.csv"). May be NULL. */
    void (*tell)(void *context, const char *line);
    /* For the owner: what an import finds in the rows ("column people.age: 3 cells are not of the type integer and
     * became NULL"). NULL: it is told like the rest. */
    engine_report report;
    void *context; /* of both */
    /* For explain: no row of a private table is read, not even to import it; engine_begin and engine_release
     * refuse. The catalogue is the same: what an import must prove, it will prove or fail. */
    bool schema_only;
};

status engine_open(const struct policy *policy, const struct engine_options *options, struct engine **out,
                   error *why) MUST_CHECK;
void engine_close(struct engine *engine);

/* A further engine on the same data, for another thread: what was opened, imported and proved is shared, and not repeated.
 * Each has its own connection, its own snapshot for each question, and is interrupted alone. `first` was not joined itself,
 * and is closed after it. engine_progress is known for the first alone. */
status engine_join(struct engine *first, struct engine **out, error *why) MUST_CHECK;

const struct sql_catalogue *engine_catalogue(const struct engine *engine);
const struct sql_dialect *engine_dialect(const struct engine *engine);

/* What the engine is asked to compute. */
struct engine_request {
    const struct sql_release *release;
    struct sql_rows domain; /* the rows of release->domain, in order; no rows for hidden keys */
    uint8_t hash_key[16];   /* fresh secret bits */
    /* The rows of released relations inside the input; as struct sql_printer has it. */
    const struct sql_rows *(*given)(void *context, const struct sql_relation *relation);
    void *context;
};

/* Groups with their exact numbers. Enumerated keys: one for each row of the domain, in its order. Hidden keys:
 * those in the data, after bounding, sorted by sql_value_compare. */
struct engine_groups {
    size_t group_count;
    struct sql_rows keys;     /* hidden: row_count is group_count */
    const int64_t *units;     /* per group: how many units are in it, after bounding */
    const int64_t *numbers;   /* per group: those of measure 0 (sql_measure_width many), of measure 1, ... */
    size_t numbers_per_group; /* within +-2^62: saturated before the noise */
};

status engine_begin(struct engine *engine, error *why) MUST_CHECK;
void engine_end(struct engine *engine);

status engine_release(struct engine *engine, const struct engine_request *request, struct arena *arena,
                      struct engine_groups *out, error *why) MUST_CHECK;

/* The SQL that engine_release would send, with 'KEY' for the hash key and stand-ins for what other releases
 * give. Touches no row. It is canonical: the same release has the same text. */
status engine_release_sql(struct engine *engine, const struct sql_release *release, struct buffer *out,
                          error *why) MUST_CHECK;

/* Prepares that SQL on the shadow catalogue: an empty database of the same tables. A failure is a bug of ours,
 * found without touching a row; DITHER_REFUSED with a fixed text. */
status engine_check(struct engine *engine, const struct sql_release *release, error *why) MUST_CHECK;

/* From another thread, or a signal handler's thread: stops what is running. */
void engine_interrupt(struct engine *engine);
/* Percent done of what is running, 0 to 100; negative: not known. For the owner's eyes. */
double engine_progress(struct engine *engine);
/* What the data source last complained of, for the owner's log. May hold private values: never for analysts. */
const char *engine_complaint(const struct engine *engine);

/* Puts the public table into the scratch database, under its own name. */
status engine_copy_public(struct engine *engine, const struct sql_table *table, struct scratch *scratch,
                          error *why) MUST_CHECK;

/* ---- For `dither check` ---- */

/* How the data source differs from the policy: one finding a call. Looks at the schema alone. */
status engine_compare(const struct policy *policy, engine_report report, void *context,
                      error *why) MUST_CHECK;

/* --data: looks at rows, as the owner's act, reports what imports find, and proves the keys unique that the policy needs; remembers it for
 * this data version. */
status engine_prove(const struct policy *policy, engine_report report, void *context, error *why) MUST_CHECK;

#endif
