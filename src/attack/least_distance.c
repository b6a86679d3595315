/* Columns: n fractions x, then m times how far an answer is too high (u) and too low (v):
 *     minimise sum(u + v)   where   matrix * x + u - v = answers,   0 <= x <= 1,   u, v >= 0. */
#include "attack/least_distance.h"

#include <float.h>

#include <coin/Clp_C_Interface.h>

#include "base/memory.h"

enum { OPTIMAL = 0 };

/* The program as CLP takes it: column by column. */
struct program {
    CoinBigIndex *starts;
    int *rows;
    double *values, *lower, *upper, *costs;
    int columns, entries;
    size_t starts_size, rows_size, values_size, column_size;
};

static void release(struct program *program)
{
    memory_release(program->starts, program->starts_size);
    memory_release(program->rows, program->rows_size);
    memory_release(program->values, program->values_size);
    memory_release(program->lower, program->column_size);
    memory_release(program->upper, program->column_size);
    memory_release(program->costs, program->column_size);
}

static status reserve(struct program *program, const struct subset_matrix *matrix, error *why)
{
    size_t columns = matrix->columns + 2 * matrix->rows;
    size_t entries =
        matrix->columns * matrix->rows + 2 * matrix->rows; /* if everybody were in every subset */
    *program = (struct program){.starts_size = (columns + 1) * sizeof *program->starts,
                                .rows_size = entries * sizeof *program->rows,
                                .values_size = entries * sizeof *program->values,
                                .column_size = columns * sizeof *program->costs};
    program->starts = memory_allocate(program->starts_size);
    program->rows = memory_allocate(program->rows_size);
    program->values = memory_allocate(program->values_size);
    program->lower = memory_allocate(program->column_size);
    program->upper = memory_allocate(program->column_size);
    program->costs = memory_allocate(program->column_size);
    if (program->starts == NULL || program->rows == NULL || program->values == NULL ||
        program->lower == NULL || program->upper == NULL || program->costs == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a linear program");
    return DITHER_OK;
}

static void add_entry(struct program *program, int row, double value)
{
    program->rows[program->entries] = row;
    program->values[program->entries++] = value;
}

static void end_column(struct program *program, double upper, double cost)
{
    program->upper[program->columns] = upper;
    program->costs[program->columns++] = cost;
    program->starts[program->columns] = program->entries;
}

static void fill(struct program *program, const struct subset_matrix *matrix)
{
    for (size_t person = 0; person < matrix->columns; person++) {
        for (size_t row = 0; row < matrix->rows; row++)
            if (subset_matrix_has(matrix, row, person))
                add_entry(program, (int)row, 1);
        end_column(program, 1, 0);
    }
    for (size_t row = 0; row < matrix->rows; row++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            add_entry(program, (int)row, sign);
            end_column(program, DBL_MAX, 1);
        }
}

static status solve(const struct program *program, const struct subset_matrix *matrix, const double *answers,
                    double *x, error *why)
{
    Clp_Simplex *model = Clp_newModel();
    if (model == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a linear program");
    Clp_setLogLevel(model, 0);
    Clp_loadProblem(model, program->columns, (int)matrix->rows, program->starts, program->rows,
                    program->values, program->lower, program->upper, program->costs, answers, answers);
    Clp_initialDualSolve(model);
    bool solved = Clp_status(model) == OPTIMAL;
    const double *solution = Clp_primalColumnSolution(model);
    for (size_t person = 0; person < matrix->columns && solved; person++)
        x[person] = solution[person];
    Clp_deleteModel(model);
    return solved ? DITHER_OK : fail(why, DITHER_INVALID, "a linear program could not be solved");
}

status least_distance(const struct subset_matrix *matrix, const double *answers, double *x, error *why)
{
    struct program program;
    status result = reserve(&program, matrix, why);
    if (result == DITHER_OK) {
        fill(&program, matrix);
        result = solve(&program, matrix, answers, x, why);
    }
    release(&program);
    return result;
}
