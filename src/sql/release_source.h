/* release_source.h - from a grouping key down to the public values that it is made of. Inside the room only.
 *
 * A key is an expression of the input's columns. Each of them is followed down to where its values are public:
 * a column with declared values or a small range, a public relation, a computed column with a small range or
 * with literals only. These are the sources; a key is rewritten over their columns. The domain is then the
 * image of the sources' cross join.
 *
 * Every row's keys lie in the domain as far as the policy is kept to. Where it is not, the engine leaves the
 * row out: so nothing here can do harm but to the answer. What must not happen is that a source depends on
 * private rows. It is made of the policy and of public relations alone. */
#ifndef SQL_RELEASE_SOURCE_H
#define SQL_RELEASE_SOURCE_H

#include "sql/release_room.h"

/* One way from the input down to a node: turns at joins, as bits. The same node may be reached in two ways
 * (a CTE joined with itself), and is two sources then. */
struct source_path {
    uint64_t turns; /* 1, then a bit for each turn */
    bool nulls;     /* an outer join on the way adds rows of NULL */
};

struct source {
    const void *what; /* a column's node, a public relation, or an expression */
    size_t column;    /* of a node; else SIZE_MAX */
    uint64_t turns;
    bool nulls;
    const struct sql_relation *public; /* a public relation: several columns that belong together */
    struct sql_rows rows;              /* else: the values */
};

/* A column of a source. Rewritten keys number them from 0. */
struct source_column {
    size_t source, column;
    struct sql_column description;
};

enum {
    SOURCES_MOST = 64,
    SOURCES_MOST_COLUMNS = 256,
    SOURCES_MOST_STEPS = 20000,
    SOURCES_MOST_CELLS = 400000
};

struct sources {
    struct sql_builder *builder;
    struct source sources[SOURCES_MOST];
    size_t source_count;
    struct source_column columns[SOURCES_MOST_COLUMNS];
    size_t column_count;
    bool frozen;        /* nothing new is taken in: conditions may only use what keys have brought */
    bool prefer_values; /* a key's own few values before those of its columns */
    size_t cells;       /* of all values listed so far, also of those that were given up */
    size_t steps;       /* expressions and relations looked at; beyond the limit nothing is public any more */
};

/* The expression over the relation's columns, rewritten; NULL: its values are not public. Fails only when there
 * is no room. */
status source_rewrite(struct sources *sources, const struct sql_relation *relation,
                      const struct sql_expression *expression, struct source_path path,
                      const struct sql_expression **out, error *why) MUST_CHECK;

/* The path behind a join's side. False: too deep. */
bool source_turn(const struct sql_relation *join, bool right, struct source_path *path);

#endif
