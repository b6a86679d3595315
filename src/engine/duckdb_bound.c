#include "engine/duckdb_bound.h"

#include <string.h>

#include "engine/duckdb_bound_sum.h"
#include "engine/duckdb_slots.h"
#include "engine/duckdb_steps.h"

status duckdb_bound_register(duckdb_connection connection, error *why)
{
    TRY(duckdb_slots_register(connection, why));
    TRY(duckdb_steps_register(connection, why));
    TRY(duckdb_sum_register(connection, why));
    TRY(duckdb_pack_register(connection, why));
    TRY(duckdb_code_register(connection, why));
    TRY(duckdb_choose_register(connection, why));
    TRY(duckdb_kept_register(connection, why));
    return duckdb_gather_register(connection, why);
}

status bound_register_function(duckdb_connection connection, const struct bound_function *function,
                               duckdb_type result, error *why)
{
    duckdb_scalar_function scalar = duckdb_create_scalar_function();
    duckdb_logical_type type = duckdb_create_logical_type(result);

    duckdb_scalar_function_set_name(scalar, function->name);
    duckdb_scalar_function_set_return_type(scalar, type);
    duckdb_destroy_logical_type(&type);
    for (size_t i = 0; i < function->parameter_count; i++) {
        type = duckdb_create_logical_type(function->parameters[i]);
        duckdb_scalar_function_add_parameter(scalar, type);
        duckdb_destroy_logical_type(&type);
    }
    if (function->any) {
        type = duckdb_create_logical_type(DUCKDB_TYPE_ANY);
        duckdb_scalar_function_set_varargs(scalar, type);
        duckdb_destroy_logical_type(&type);
    }
    if (function->sees_nulls)
        duckdb_scalar_function_set_special_handling(scalar);
    if (function->bind)
        duckdb_scalar_function_set_bind(scalar, function->bind);
    duckdb_scalar_function_set_function(scalar, function->callback);

    duckdb_state state = duckdb_register_scalar_function(connection, scalar);
    duckdb_destroy_scalar_function(&scalar);
    if (state != DuckDBSuccess)
        return fail(why, DITHER_IO, "DuckDB does not take the function %s", function->name);
    return DITHER_OK;
}

void bound_copy_nulls(duckdb_vector input, duckdb_vector output, size_t count)
{
    const uint64_t *from = duckdb_vector_get_validity(input);

    if (!from)
        return;
    duckdb_vector_ensure_validity_writable(output);
    memcpy(duckdb_vector_get_validity(output), from, (count + 63) / 64 * sizeof *from);
}

void bound_set_null(duckdb_vector vector, size_t row)
{
    duckdb_vector_ensure_validity_writable(vector);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
}
