/* format.h - values as text, for all forms of an answer. */
#ifndef CURATOR_FORMAT_H
#define CURATOR_FORMAT_H

#include "base/buffer.h"
#include "base/json.h"
#include "curator/curator.h"

/* As PostgreSQL would write it: "true", "1042", "12.50", "2024-02-29", "2024-02-29 12:30:00.5". Reals in the
 * fewest digits that read back the same. Nothing for NULL. */
void format_value(struct buffer *out, const struct sql_value *value);

/* A value in JSON: numbers and booleans as such, all else in quotes. */
void format_json(struct json_writer *json, const struct sql_value *value);

/* An end of an interval, in the column's manner: whole numbers stay whole, rounded outwards. */
double format_lower(const struct curator_column *column, struct curator_interval interval);
double format_upper(const struct curator_column *column, struct curator_interval interval);

/* "epsilon 0.1" with what the currency has, as JSON members. */
void format_cost_members(struct json_writer *json, struct ledger_cost cost, enum ledger_currency currency);

#endif
