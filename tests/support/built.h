/* built.h - relations built by hand, on the tables of catalogue_hospital. What cannot be built fails the test. */
#ifndef TESTS_SUPPORT_BUILT_H
#define TESTS_SUPPORT_BUILT_H

#include "sql/relation.h"

extern struct built {
    struct arena arena;
    struct sql_builder builder;
} built;

/* For cmocka_run_group_tests. */
int built_begin(void **state);
int built_end(void **state);

const struct sql_relation *built_scan(const char *table);
size_t built_column(const struct sql_relation *relation, const char *name);
const struct sql_expression *built_at(const struct sql_relation *relation, size_t index);
const struct sql_expression *built_named(const struct sql_relation *relation, const char *name);
const struct sql_expression *built_whole(int64_t number);
const struct sql_expression *built_call(const char *name, const struct sql_expression *a,
                                        const struct sql_expression *b);
/* Column `a` of the left = column `b` of the right, as a join's condition has them. */
const struct sql_expression *built_equate(const struct sql_relation *left, const char *a,
                                          const struct sql_relation *right, const char *b);
const struct sql_relation *built_join(enum sql_join_kind kind, const struct sql_relation *left,
                                      const struct sql_relation *right,
                                      const struct sql_expression *condition);
/* It is refused, at position 7 and with these words. */
void built_refuse_join(enum sql_join_kind kind, const struct sql_relation *left,
                       const struct sql_relation *right, const struct sql_expression *condition,
                       const char *words);
const struct sql_relation *built_group(const struct sql_relation *input,
                                       const struct sql_expression *const *keys, size_t key_count,
                                       enum sql_aggregate_kind kind, const struct sql_expression *argument);
const struct sql_relation *built_filter(const struct sql_relation *input,
                                        const struct sql_expression *condition);

#endif
