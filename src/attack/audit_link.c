/* A server by libpq. */
#include "attack/audit_link.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

status audit_link_open(const char *where, struct audit_link *out, error *why)
{
    TRY(postgres_connect(where, &out->connection, why));
    status result = postgres_run(out->connection, "SET dither.notices = off", why);
    if (result != DITHER_OK)
        audit_link_close(out);
    return result;
}

void audit_link_close(struct audit_link *link)
{
    PQfinish(link->connection);
    link->connection = NULL;
}

status audit_link_ask(struct audit_link *link, const char *sql, PGresult **out, char state[6], error *why)
{
    PGresult *result = PQexec(link->connection, sql);
    const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    snprintf(state, 6, "%s", code != NULL ? code : "");
    *out = NULL;
    if (PQresultStatus(result) == PGRES_TUPLES_OK) {
        *out = result;
        return DITHER_OK;
    }
    PQclear(result);
    if (PQstatus(link->connection) != CONNECTION_OK)
        return fail(why, DITHER_IO, "the server went away");
    return DITHER_OK;
}

/* ---- What is stated ---- */

static double member(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* The one measure of the one release. */
static void read_noise(const json_t *release, struct audit_column *out)
{
    const json_t *parts = json_object_get(release, "parts"), *part = json_array_get(parts, 0);
    const char *mechanism = json_string_value(json_object_get(part, "mechanism"));
    const json_t *cost = json_object_get(part, "cost");
    if (json_array_size(parts) != 1 || mechanism == NULL || json_object_get(part, "scale") == NULL)
        return;
    snprintf(out->mechanism, sizeof out->mechanism, "%s", mechanism);
    out->scale = member(part, "scale");
    out->grid = member(part, "step");
    out->epsilon = member(cost, "epsilon");
    out->rho = member(cost, "rho");
}

static void read_stated(const char *text, struct audit_stated *out)
{
    json_error_t trouble;
    json_t *root = json_loads(text, 0, &trouble);
    const json_t *releases = json_object_get(root, "releases"), *release = json_array_get(releases, 0);
    const char *keys = json_string_value(json_object_get(release, "keys"));
    out->answers = root != NULL;
    out->synthetic = json_is_true(json_object_get(root, "synthetic"));
    out->hidden = keys != NULL && strcmp(keys, "hidden") == 0;
    if (json_array_size(releases) == 1)
        read_noise(release, &out->noise);
    json_decref(root);
}

status audit_link_explain(struct audit_link *link, const char *sql, struct audit_stated *out, error *why)
{
    struct buffer question, told;
    PGresult *rows = NULL;
    char state[6];
    *out = (struct audit_stated){0};
    buffer_init(&question, 1 << 16);
    buffer_init(&told, 64 << 20);
    buffer_format(&question, "EXPLAIN (FORMAT JSON) %s", sql);
    status result = buffer_check(&question, why);
    if (result == DITHER_OK)
        result = audit_link_ask(link, question.data, &rows, state, why);
    for (int i = 0; rows != NULL && i < PQntuples(rows); i++)
        buffer_text(&told, PQgetvalue(rows, i, 0));
    if (result == DITHER_OK && told.length > 0)
        read_stated(told.data, out);
    PQclear(rows);
    buffer_free(&told);
    buffer_free(&question);
    return result;
}

/* ---- Amounts ---- */

/* "epsilon 9.9, delta 0.000001", "rho 0.5". */
status audit_link_left(struct audit_link *link, bool *rho, struct decimal *out, error *why)
{
    PGresult *rows = NULL;
    char state[6], name[16] = "", amount[64] = "";
    TRY(audit_link_ask(link, "SHOW dither.remaining", &rows, state, why));
    if (rows != NULL && PQntuples(rows) == 1)
        (void)sscanf(PQgetvalue(rows, 0, 0), "%15s %63[0-9.e-]", name, amount);
    PQclear(rows);
    *rho = strcmp(name, "rho") == 0;
    if (decimal_parse(amount, out, NULL) != DITHER_OK)
        return fail(why, DITHER_IO, "the server does not say what is left of the budget: is it Dither?");
    return DITHER_OK;
}

status audit_link_amount(struct audit_link *link, bool rho, const char *amount, error *why)
{
    char text[120];
    snprintf(text, sizeof text, "SET dither.%s = '%s'", rho ? "rho" : "epsilon", amount);
    return postgres_run(link->connection, text, why);
}
