/* grouped.h - releases for tests, without the binder of SELECTs: an input is put together with the constructors of
 * relations, expressions are written as SQL, and calls as a SELECT list would have them.
 *
 *     grouped_begin(&grouped, policy);
 *     input = grouped_where(&grouped, grouped_table(&grouped, "patients"), "age >= 18");
 *     grouped_key(&grouped, "region");
 *     grouped_call(&grouped, "avg", "age");
 *     shown = grouped_build(&grouped, input);
 *     release = grouped.binder.builder.releases[0];
 *     grouped_end(&grouped); */
#ifndef TESTS_SUPPORT_GROUPED_H
#define TESTS_SUPPORT_GROUPED_H

#include "base/buffer.h"
#include "sql/bind.h"

enum { GROUPED_MOST = 200 };

struct grouped {
    struct arena arena;
    struct binder binder;
    struct buffer notes;
    struct sql_parsed parsed[GROUPED_MOST];
    size_t parsed_count;
    const char *keys[8]; /* as texts until the input is known */
    size_t key_count;
    struct bind_call calls[16];
    const char *call_arguments[16][2], *call_filters[16], *call_within[16];
    size_t call_count;
    struct bind_grouping_set sets[16];
    size_t set_count;
    error why;
};

void grouped_begin(struct grouped *grouped, const char *policy_text);
void grouped_end(struct grouped *grouped);
/* Forgets keys, calls, sets and releases; the catalogue stays. */
void grouped_again(struct grouped *grouped);

const struct sql_relation *grouped_table(struct grouped *grouped, const char *name);
const struct sql_relation *grouped_where(struct grouped *grouped, const struct sql_relation *input,
                                         const char *condition);
/* The condition names columns of both; the first of a name wins, and "r.name" is one of the right. */
const struct sql_relation *grouped_join(struct grouped *grouped, enum sql_join_kind kind,
                                        const struct sql_relation *left, const struct sql_relation *right,
                                        const char *condition);
const struct sql_relation *grouped_semi_join(struct grouped *grouped, bool anti,
                                             const struct sql_relation *left,
                                             const struct sql_relation *right, const char *condition);
const struct sql_relation *grouped_append(struct grouped *grouped, const struct sql_relation *left,
                                          const struct sql_relation *right);
/* One column more, "made", behind the others. */
const struct sql_relation *grouped_made(struct grouped *grouped, const struct sql_relation *input,
                                        const char *expression);

const struct sql_expression *grouped_expression(struct grouped *grouped, const struct sql_relation *relation,
                                                const struct sql_relation *right, const char *text);

void grouped_key(struct grouped *grouped, const char *expression);
/* A grouping set of the keys whose bits are set. */
void grouped_set(struct grouped *grouped, unsigned bits);

/* "*" is count(*). Returns the call, to be completed. */
struct bind_call *grouped_call(struct grouped *grouped, const char *name, const char *argument);
struct bind_call *grouped_call2(struct grouped *grouped, const char *name, const char *first,
                                const char *second);
void grouped_filter(struct grouped *grouped, const char *condition);  /* of the last call */
void grouped_within(struct grouped *grouped, const char *expression); /* of the last call */

/* What release_build says; grouped_build fails the test when it fails. */
status grouped_try(struct grouped *grouped, const struct sql_relation *input,
                   const struct sql_relation **out);
const struct sql_relation *grouped_build(struct grouped *grouped, const struct sql_relation *input);

#endif
