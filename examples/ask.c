/* A private answer to a question in SQL:  cc ask.c $(pkg-config --cflags --libs dither)
 *     ./ask hospital.yaml "SELECT region, count(*) FROM patients GROUP BY region" */
#include <stdio.h>

#include <dither.h>

int main(int argc, char **argv)
{
    const char *sql = argc > 2 ? argv[2] : "SELECT region, count(*) FROM patients GROUP BY region";
    dither_curator *curator = NULL;
    dither_answer *answer = NULL;
    dither_amount_text cost;
    dither_error why;
    if (argc < 2)
        return puts("usage: ask POLICY [SQL]") < 0;
    if (dither_open(argv[1], NULL, &curator, &why) != DITHER_OK ||
        dither_ask(curator, sql, NULL, &answer, &why) != DITHER_OK) {
        fprintf(stderr, "%s\n", why.message);
        dither_close(curator);
        return 1;
    }
    for (size_t row = 0; row < dither_answer_rows(answer); row++) {
        for (size_t column = 0; column < dither_answer_columns(answer); column++) {
            dither_range interval;
            const char *text = dither_cell_text(answer, row, column);
            printf("%s ", text != NULL ? text : "NULL");
            if (dither_cell_interval(answer, row, column, &interval))
                printf("(%g to %g) ", interval.lower, interval.upper);
        }
        printf("\n");
    }
    dither_answer_cost(answer, &cost);
    printf("cost: epsilon %s, delta %s\n", cost.epsilon, cost.delta);
    dither_answer_free(answer);
    dither_close(curator);
    return 0;
}
