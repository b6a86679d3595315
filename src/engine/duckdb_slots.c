#include "engine/duckdb_slots.h"

#include <string.h>

/* While this thread prepares or executes: the slots of its statement. */
static _Thread_local struct duckdb_slots *at_hand;

/* ---- The functions ---- */

static const struct sql_value *value_of(duckdb_function_info info)
{
    return duckdb_scalar_function_get_bind_data(info);
}

static void give_whole(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    int64_t *out = duckdb_vector_get_data(output), whole = value_of(info)->whole;
    for (idx_t row = 0, rows = duckdb_data_chunk_get_size(input); row < rows; row++)
        out[row] = whole;
}

static void give_real(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    double *out = duckdb_vector_get_data(output), real = value_of(info)->real;
    for (idx_t row = 0, rows = duckdb_data_chunk_get_size(input); row < rows; row++)
        out[row] = real;
}

static void give_date(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    int32_t *out = duckdb_vector_get_data(output), days = (int32_t)value_of(info)->whole;
    for (idx_t row = 0, rows = duckdb_data_chunk_get_size(input); row < rows; row++)
        out[row] = days;
}

/* One copy of the text; all rows point to it. */
static void give_text(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    duckdb_string_t *out = duckdb_vector_get_data(output);
    idx_t rows = duckdb_data_chunk_get_size(input);
    if (rows == 0)
        return;
    duckdb_vector_assign_string_element(output, 0, value_of(info)->text);
    for (idx_t row = 1; row < rows; row++)
        out[row] = out[0];
}

static const struct slot_function {
    const char *name;
    duckdb_type result;
    duckdb_scalar_function_t give;
} functions[] = {
    [SQL_INTEGER] = {"dither_slot_whole", DUCKDB_TYPE_BIGINT, give_whole},
    [SQL_REAL] = {"dither_slot_real", DUCKDB_TYPE_DOUBLE, give_real},
    [SQL_TEXT] = {"dither_slot_text", DUCKDB_TYPE_VARCHAR, give_text},
    [SQL_DATE] = {"dither_slot_date", DUCKDB_TYPE_DATE, give_date},
    [SQL_TIMESTAMP] = {"dither_slot_moment", DUCKDB_TYPE_TIMESTAMP, give_whole},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* ---- Binding ---- */

/* What a function of a plan is bound to belongs to the slots: copies of the plan read the same one, and none frees it. */
static void *same_value(void *value)
{
    return value;
}

static void keep_value(void *value)
{
    (void)value;
}

/* The argument is a literal of ours. */
static bool read_index(duckdb_bind_info info, size_t *out)
{
    duckdb_client_context context = NULL;
    duckdb_expression argument = duckdb_scalar_function_bind_get_argument(info, 0);
    duckdb_value value = NULL;
    int64_t index = -1;
    if (duckdb_expression_is_foldable(argument)) {
        duckdb_scalar_function_get_client_context(info, &context);
        duckdb_error_data failed = duckdb_expression_fold(context, argument, &value);
        if (!duckdb_error_data_has_error(failed))
            index = duckdb_get_int64(value);
        duckdb_destroy_error_data(&failed);
        duckdb_destroy_value(&value);
        duckdb_destroy_client_context(&context);
    }
    duckdb_destroy_expression(&argument);
    *out = (size_t)index;
    return index >= 0 && index < DUCKDB_SLOTS;
}

static void find_value(duckdb_bind_info info)
{
    size_t index = 0;
    if (at_hand == NULL || !read_index(info, &index)) {
        duckdb_scalar_function_bind_set_error(info, "no such slot");
        return;
    }
    duckdb_scalar_function_set_bind_data(info, &at_hand->values[index], keep_value);
    duckdb_scalar_function_set_bind_data_copy(info, same_value);
}

static status register_function(duckdb_connection connection, const struct slot_function *function,
                                error *why)
{
    duckdb_scalar_function scalar = duckdb_create_scalar_function();
    duckdb_logical_type index = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
    duckdb_logical_type result = duckdb_create_logical_type(function->result);
    duckdb_scalar_function_set_name(scalar, function->name);
    duckdb_scalar_function_add_parameter(scalar, index);
    duckdb_scalar_function_set_return_type(scalar, result);
    duckdb_scalar_function_set_volatile(scalar);
    duckdb_scalar_function_set_bind(scalar, find_value);
    duckdb_scalar_function_set_function(scalar, function->give);
    duckdb_state state = duckdb_register_scalar_function(connection, scalar);
    duckdb_destroy_logical_type(&index);
    duckdb_destroy_logical_type(&result);
    duckdb_destroy_scalar_function(&scalar);
    return state == DuckDBSuccess
               ? DITHER_OK
               : fail(why, DITHER_IO, "DuckDB does not take the function %s", function->name);
}

status duckdb_slots_register(duckdb_connection connection, error *why)
{
    for (size_t type = 0; type < FUNCTIONS; type++)
        if (functions[type].name != NULL)
            TRY(register_function(connection, &functions[type], why));
    return DITHER_OK;
}

/* ---- Printing ---- */

bool duckdb_slots_print(void *context, struct buffer *out, const struct sql_value *value)
{
    struct duckdb_slots *slots = context;
    if (value->null || (size_t)value->type >= FUNCTIONS || functions[value->type].name == NULL ||
        slots->count == DUCKDB_SLOTS)
        return false;
    buffer_format(out, "%s(%zu)", functions[value->type].name, slots->count);
    slots->values[slots->count++] = *value;
    return true;
}

void duckdb_slots_begin(struct duckdb_slots *slots, const char *key)
{
    *slots = (struct duckdb_slots){.values = {{.type = SQL_TEXT, .text = key}}, .count = 1};
}

void duckdb_slots_wipe(struct duckdb_slots *slots)
{
    explicit_bzero(slots, sizeof *slots);
}

/* ---- Running ---- */

duckdb_state duckdb_slots_prepare(duckdb_connection connection, struct duckdb_slots *slots, const char *sql,
                                  duckdb_prepared_statement *out)
{
    at_hand = slots;
    duckdb_state state = duckdb_prepare(connection, sql, out);
    at_hand = NULL;
    return state;
}

duckdb_state duckdb_slots_execute(duckdb_prepared_statement statement, struct duckdb_slots *slots,
                                  duckdb_result *out)
{
    at_hand = slots;
    duckdb_state state = duckdb_execute_prepared(statement, out);
    at_hand = NULL;
    return state;
}
