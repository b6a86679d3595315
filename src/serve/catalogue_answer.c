/* A rewritten question is run on a connection of its own, step by step, so that it can be given up when it takes too
 * long; its cells become PostgreSQL's text. DuckDB's words stay here: they speak of tables that the analyst did not name. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/monotonic.h"
#include "serve/catalogue_parts.h"

struct answer {
    struct catalogue_rewrite *rewrite;
    duckdb_connection connection;
    duckdb_prepared_statement prepared;
    duckdb_pending_result pending;
    duckdb_result result;
    bool has_result;
    struct catalogue_column *columns;
    size_t column_count;
    const char **cells;
    size_t row_count, row_room;
};

/* ---- How it ends ---- */

enum catalogue_outcome catalogue_outcome(const char *sqlstate)
{
    static const char *const states[] = {[CATALOGUE_NOT_UNDERSTOOD] = "0A000",
                                         [CATALOGUE_TOO_MANY_ROWS] = "54000",
                                         [CATALOGUE_TOO_LONG] = "57014"};
    for (int i = CATALOGUE_NOT_UNDERSTOOD; i < CATALOGUE_BROKEN; i++)
        if (strcmp(states[i], sqlstate) == 0)
            return (enum catalogue_outcome)i;
    return CATALOGUE_BROKEN;
}

status catalogue_refuse_as(struct catalogue_rewrite *rewrite, enum catalogue_outcome outcome)
{
    switch (outcome) {
    case CATALOGUE_NOT_UNDERSTOOD:
        return catalogue_refuse(rewrite, "0A000", "the catalogue does not understand this question");
    case CATALOGUE_TOO_MANY_ROWS:
        return catalogue_refuse(rewrite, "54000", "the catalogue answers with at most %d rows",
                                CATALOGUE_MOST_ROWS);
    case CATALOGUE_TOO_LONG:
        return catalogue_refuse(rewrite, "57014", "the catalogue takes at most %d seconds for a question",
                                CATALOGUE_MOST_SECONDS);
    default:
        return fail(rewrite->why, DITHER_IO, "the catalogue's database does not answer");
    }
}

static status not_understood(struct answer *answer)
{
    return catalogue_refuse_as(answer->rewrite, CATALOGUE_NOT_UNDERSTOOD);
}

/* ---- Cells ---- */

static void print_item(struct buffer *text, duckdb_vector vector, duckdb_logical_type type, idx_t row,
                       bool vector_form, bool *good);

static void print_list(struct buffer *text, duckdb_vector vector, duckdb_logical_type type, idx_t row,
                       bool vector_form, bool *good)
{
    duckdb_list_entry entry = ((duckdb_list_entry *)duckdb_vector_get_data(vector))[row];
    duckdb_vector child = duckdb_list_vector_get_child(vector);
    duckdb_logical_type child_type = duckdb_list_type_child_type(type);
    uint64_t *validity = duckdb_vector_get_validity(child);
    struct buffer item;
    buffer_init(&item, text->limit);
    buffer_text(text, vector_form ? "" : "{");
    for (idx_t i = entry.offset; i < entry.offset + entry.length; i++) {
        if (i > entry.offset)
            buffer_byte(text, vector_form ? ' ' : ',');
        if (validity != NULL && !duckdb_validity_row_is_valid(validity, i)) {
            buffer_text(text, "NULL");
            continue;
        }
        buffer_clear(&item);
        print_item(&item, child, child_type, i, false, good);
        const char *word = item.length > 0 ? item.data : "";
        bool quoted = item.length == 0 || strcmp(word, "NULL") == 0 || strpbrk(word, "{}\",\\ \t\n") != NULL;
        bool nested = duckdb_get_type_id(child_type) == DUCKDB_TYPE_LIST;
        if (!quoted || nested) {
            buffer_text(text, word);
            continue;
        }
        buffer_byte(text, '"');
        for (; *word != '\0'; word++) {
            if (*word == '"' || *word == '\\')
                buffer_byte(text, '\\');
            buffer_byte(text, *word);
        }
        buffer_byte(text, '"');
    }
    buffer_text(text, vector_form ? "" : "}");
    *good = *good && !item.failed;
    buffer_free(&item);
    duckdb_destroy_logical_type(&child_type);
}

static void print_decimal(struct buffer *text, duckdb_logical_type type, const void *data, idx_t row,
                          bool *good)
{
    int64_t value = 0;
    switch (duckdb_decimal_internal_type(type)) {
    case DUCKDB_TYPE_SMALLINT:
        value = ((const int16_t *)data)[row];
        break;
    case DUCKDB_TYPE_INTEGER:
        value = ((const int32_t *)data)[row];
        break;
    case DUCKDB_TYPE_BIGINT:
        value = ((const int64_t *)data)[row];
        break;
    default:
        *good = false;
        return;
    }
    int scale = duckdb_decimal_scale(type);
    uint64_t power = 1, size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    for (int i = 0; i < scale; i++)
        power *= 10;
    buffer_format(text, "%s%" PRIu64, value < 0 ? "-" : "", size / power);
    if (scale > 0)
        buffer_format(text, ".%0*" PRIu64, scale, size % power);
}

static void print_timestamp(struct buffer *text, int64_t microseconds)
{
    duckdb_timestamp_struct moment = duckdb_from_timestamp((duckdb_timestamp){microseconds});
    buffer_format(text, "%04d-%02d-%02d %02d:%02d:%02d", moment.date.year, moment.date.month, moment.date.day,
                  moment.time.hour, moment.time.min, moment.time.sec);
    if (moment.time.micros != 0)
        buffer_format(text, ".%06d", moment.time.micros);
}

static void print_item(struct buffer *text, duckdb_vector vector, duckdb_logical_type type, idx_t row,
                       bool vector_form, bool *good)
{
    void *data = duckdb_vector_get_data(vector);
    duckdb_date_struct date;
    duckdb_hugeint huge;
    duckdb_string_t *string;
    switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_BOOLEAN:
        buffer_byte(text, ((bool *)data)[row] ? 't' : 'f');
        return;
    case DUCKDB_TYPE_TINYINT:
        buffer_format(text, "%d", ((int8_t *)data)[row]);
        return;
    case DUCKDB_TYPE_SMALLINT:
        buffer_format(text, "%d", ((int16_t *)data)[row]);
        return;
    case DUCKDB_TYPE_INTEGER:
        buffer_format(text, "%" PRId32, ((int32_t *)data)[row]);
        return;
    case DUCKDB_TYPE_UINTEGER:
        buffer_format(text, "%" PRIu32, ((uint32_t *)data)[row]);
        return;
    case DUCKDB_TYPE_BIGINT:
        buffer_format(text, "%" PRId64, ((int64_t *)data)[row]);
        return;
    case DUCKDB_TYPE_HUGEINT:
        huge = ((duckdb_hugeint *)data)[row];
        *good = *good && (huge.upper == 0 || huge.upper == -1);
        buffer_format(text, "%" PRId64, (int64_t)huge.lower);
        return;
    case DUCKDB_TYPE_FLOAT:
        buffer_format(text, "%.7g", (double)((float *)data)[row]);
        return;
    case DUCKDB_TYPE_DOUBLE:
        buffer_format(text, "%.15g", ((double *)data)[row]);
        return;
    case DUCKDB_TYPE_DECIMAL:
        print_decimal(text, type, data, row, good);
        return;
    case DUCKDB_TYPE_VARCHAR:
        string = &((duckdb_string_t *)data)[row];
        buffer_append(text, duckdb_string_t_data(string), duckdb_string_t_length(*string));
        return;
    case DUCKDB_TYPE_DATE:
        date = duckdb_from_date(((duckdb_date *)data)[row]);
        buffer_format(text, "%04d-%02d-%02d", date.year, date.month, date.day);
        return;
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
        print_timestamp(text, ((int64_t *)data)[row]);
        buffer_text(text, duckdb_get_type_id(type) == DUCKDB_TYPE_TIMESTAMP_TZ ? "+00" : "");
        return;
    case DUCKDB_TYPE_LIST:
        print_list(text, vector, type, row, vector_form, good);
        return;
    case DUCKDB_TYPE_SQLNULL:
        return;
    default:
        *good = false;
    }
}

/* ---- Types ---- */

static bool is_text_oid(uint32_t oid)
{
    return oid == 18 || oid == 19 || oid == 25 || oid == 1043 || oid == 1042;
}

static uint32_t list_oid(duckdb_logical_type type, uint32_t noted)
{
    duckdb_logical_type child = duckdb_list_type_child_type(type);
    duckdb_type kind = duckdb_get_type_id(child);
    duckdb_destroy_logical_type(&child);
    switch (kind) {
    case DUCKDB_TYPE_SMALLINT:
        return noted == 22 ? 22 : 1005;
    case DUCKDB_TYPE_UINTEGER:
        return noted == 30 ? 30 : 1028;
    case DUCKDB_TYPE_INTEGER:
        return 1007;
    case DUCKDB_TYPE_BIGINT:
        return 1016;
    case DUCKDB_TYPE_BOOLEAN:
        return 1000;
    default:
        return noted == 1003 || noted == 1002 ? noted : 1009;
    }
}

/* What was noted from the tree decides between PostgreSQL's types that are one to DuckDB. References are shown by
 * name, so they are text. */
static uint32_t oid_of(duckdb_logical_type type, uint32_t noted)
{
    if (noted == CATALOGUE_NULL)
        return 25;
    switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_BOOLEAN:
        return 16;
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
        return 21;
    case DUCKDB_TYPE_INTEGER:
        return 23;
    case DUCKDB_TYPE_UINTEGER:
        return 26;
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_HUGEINT:
        return 20;
    case DUCKDB_TYPE_FLOAT:
        return 700;
    case DUCKDB_TYPE_DOUBLE:
        return 701;
    case DUCKDB_TYPE_DECIMAL:
        return 1700;
    case DUCKDB_TYPE_DATE:
        return 1082;
    case DUCKDB_TYPE_TIMESTAMP:
        return noted == 1184 ? 1184 : 1114;
    case DUCKDB_TYPE_TIMESTAMP_TZ:
        return 1184;
    case DUCKDB_TYPE_LIST:
        return list_oid(type, noted);
    default:
        return is_text_oid(noted) ? noted : 25;
    }
}

static uint32_t noted_oid(const struct answer *answer, size_t column, const char *name)
{
    if (answer->rewrite->oid_count == answer->column_count)
        return answer->rewrite->oids[column];
    char letter = catalogue_column_letter(name);
    return letter != 0 ? catalogue_letter(letter)->oid : 0;
}

static status read_columns(struct answer *answer)
{
    struct catalogue_rewrite *rewrite = answer->rewrite;
    void *room = NULL;
    answer->column_count = (size_t)duckdb_column_count(&answer->result);
    TRY(arena_take(rewrite->arena, (answer->column_count + 1) * sizeof *answer->columns, &room,
                   rewrite->why));
    answer->columns = room;
    for (size_t i = 0; i < answer->column_count; i++) {
        const char *name = duckdb_column_name(&answer->result, i);
        char *kept = NULL;
        TRY(arena_text(rewrite->arena, name, strlen(name), &kept, rewrite->why));
        duckdb_logical_type type = duckdb_column_logical_type(&answer->result, i);
        answer->columns[i] = (struct catalogue_column){kept, oid_of(type, noted_oid(answer, i, kept))};
        duckdb_destroy_logical_type(&type);
    }
    return DITHER_OK;
}

/* ---- Rows ---- */

static status make_room(struct answer *answer, size_t rows)
{
    if (rows > CATALOGUE_MOST_ROWS)
        return catalogue_refuse_as(answer->rewrite, CATALOGUE_TOO_MANY_ROWS);
    if (rows <= answer->row_room)
        return DITHER_OK;
    size_t wanted = rows > 2 * answer->row_room ? rows : 2 * answer->row_room;
    void *room = NULL;
    TRY(arena_take(answer->rewrite->arena, (wanted * answer->column_count + 1) * sizeof(char *), &room,
                   answer->rewrite->why));
    if (answer->row_count > 0)
        memcpy(room, answer->cells, answer->row_count * answer->column_count * sizeof(char *));
    answer->cells = room;
    answer->row_room = wanted;
    return DITHER_OK;
}

static status read_column(struct answer *answer, duckdb_vector vector, size_t column, idx_t rows,
                          struct buffer *text)
{
    uint64_t *validity = duckdb_vector_get_validity(vector);
    duckdb_logical_type type = duckdb_vector_get_column_type(vector);
    bool null_type = duckdb_get_type_id(type) == DUCKDB_TYPE_SQLNULL, good = true;
    uint32_t oid = answer->columns[column].oid;
    status result = DITHER_OK;
    for (idx_t row = 0; row < rows && result == DITHER_OK && good; row++) {
        char *kept = NULL;
        if (!null_type && (validity == NULL || duckdb_validity_row_is_valid(validity, row))) {
            buffer_clear(text);
            print_item(text, vector, type, row, oid == 22 || oid == 30, &good);
            result = buffer_check(text, answer->rewrite->why);
            if (result == DITHER_OK)
                result = arena_text(answer->rewrite->arena, text->length > 0 ? text->data : "", text->length,
                                    &kept, answer->rewrite->why);
        }
        answer->cells[(answer->row_count + row) * answer->column_count + column] = kept;
    }
    duckdb_destroy_logical_type(&type);
    return good ? result : not_understood(answer);
}

static status read_chunk(struct answer *answer, duckdb_data_chunk chunk, struct buffer *text)
{
    idx_t rows = duckdb_data_chunk_get_size(chunk);
    TRY(make_room(answer, answer->row_count + rows));
    for (size_t column = 0; column < answer->column_count; column++)
        TRY(read_column(answer, duckdb_data_chunk_get_vector(chunk, column), column, rows, text));
    answer->row_count += rows;
    return DITHER_OK;
}

static status read_rows(struct answer *answer)
{
    struct buffer text;
    buffer_init(&text, 1 << 20);
    status result = make_room(answer, 1);
    while (result == DITHER_OK) {
        duckdb_data_chunk chunk = duckdb_fetch_chunk(answer->result);
        if (chunk == NULL)
            break;
        result = read_chunk(answer, chunk, &text);
        duckdb_destroy_data_chunk(&chunk);
    }
    buffer_free(&text);
    return result;
}

/* ---- Running ---- */

static status say_who(struct answer *answer)
{
    struct buffer sql;
    buffer_init(&sql, 65536);
    buffer_text(&sql, "SET VARIABLE dither_user = ");
    duckdb_print_text(&sql, answer->rewrite->question->user);
    buffer_text(&sql, "; SET VARIABLE dither_dataset = ");
    duckdb_print_text(&sql, answer->rewrite->dataset);
    status result = buffer_check(&sql, answer->rewrite->why);
    if (result == DITHER_OK && duckdb_query(answer->connection, sql.data, NULL) != DuckDBSuccess)
        result = catalogue_refuse_as(answer->rewrite, CATALOGUE_BROKEN);
    buffer_free(&sql);
    return result;
}

static status run(struct answer *answer, const char *sql)
{
    TRY(say_who(answer));
    if (duckdb_prepare(answer->connection, sql, &answer->prepared) != DuckDBSuccess)
        return not_understood(answer);
    if (duckdb_pending_prepared(answer->prepared, &answer->pending) != DuckDBSuccess)
        return not_understood(answer);
    int64_t began = monotonic_milliseconds();
    duckdb_pending_state state = duckdb_pending_execute_task(answer->pending);
    while (!duckdb_pending_execution_is_finished(state)) {
        if (monotonic_milliseconds() - began > (int64_t)CATALOGUE_MOST_SECONDS * 1000) {
            duckdb_interrupt(answer->connection);
            return catalogue_refuse_as(answer->rewrite, CATALOGUE_TOO_LONG);
        }
        state = duckdb_pending_execute_task(answer->pending);
    }
    if (state == DUCKDB_PENDING_ERROR ||
        duckdb_execute_pending(answer->pending, &answer->result) != DuckDBSuccess)
        return not_understood(answer);
    answer->has_result = true;
    TRY(read_columns(answer));
    return read_rows(answer);
}

static void close_answer(struct answer *answer)
{
    if (answer->has_result)
        duckdb_destroy_result(&answer->result);
    if (answer->pending != NULL)
        duckdb_destroy_pending(&answer->pending);
    if (answer->prepared != NULL)
        duckdb_destroy_prepare(&answer->prepared);
    if (answer->connection != NULL)
        duckdb_disconnect(&answer->connection);
}

status catalogue_execute(struct duckdb_instance *instance, struct catalogue_rewrite *rewrite, const char *sql,
                         struct catalogue_reply *out)
{
    struct answer answer = {.rewrite = rewrite};
    if (duckdb_connect(instance->database, &answer.connection) != DuckDBSuccess)
        return catalogue_refuse_as(rewrite, CATALOGUE_BROKEN);
    status result = run(&answer, sql);
    close_answer(&answer);
    if (result == DITHER_OK)
        *out = (struct catalogue_reply){answer.columns, answer.column_count, answer.cells, answer.row_count};
    return result;
}
