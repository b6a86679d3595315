/* A budget that ends:  cc private_budget.c $(pkg-config --cflags --libs dither)
 * Each count is charged on disk first, drawn then, and recorded before it is shown. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <dither.h>

/* One private count, named by `key`: reserve, draw, settle, show. */
static dither_status ask(dither_ledger *ledger, dither_random *random, char key, double truth,
                         dither_error *why)
{
    const dither_question_release release = {.key = {&key, 1}, .cost = {.epsilon = "0.4"}};
    const dither_question question = {
        .analyst = "alice", .text = "how many?", .releases = &release, .release_count = 1};
    dither_reservation *reservation = NULL;
    dither_status status = dither_ledger_reserve(ledger, &question, &reservation, why);
    if (status != DITHER_OK)
        return status;
    double answer = 0;
    const dither_options options = {.epsilon = dither_decimal("0.4")};
    dither_mechanism *count = dither_mechanism_new("geometric", &options, why);
    const dither_bytes bytes = {&answer, sizeof answer};
    status = count == NULL ? why->status
                           : dither_release(count, random, &(dither_data){&truth, 1}, &answer, 1, why);
    if (status == DITHER_OK)
        status = dither_ledger_settle(ledger, reservation, &bytes, 1, bytes, why);
    if (status == DITHER_OK)
        printf("question %c: about %.0f\n", key, answer);
    dither_mechanism_free(count);
    dither_reservation_free(reservation);
    return status;
}

int main(void)
{
    char folder[200];
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/private-budget-XXXXXX", parent ? parent : "/tmp");
    const dither_analyst alice = {.name = "alice"};
    const dither_ledger_config config = {.dataset = "students",
                                         .unit = "a student",
                                         .total = {.epsilon = "1"},
                                         .analysts = &alice,
                                         .analyst_count = 1};
    dither_ledger *ledger = NULL;
    dither_error why;
    dither_random *random = dither_random_new(&why);
    if (random == NULL || mkdtemp(folder) == NULL || chdir(folder) != 0 ||
        dither_ledger_open("students.ledger", &config, &(dither_ledger_options){.state_directory = folder},
                           &ledger, &why) != DITHER_OK)
        return 1;
    dither_status status = DITHER_OK;
    for (char key = 'A'; status == DITHER_OK && key <= 'Z'; key++)
        status = ask(ledger, random, key, 55, &why);
    printf("%s\n", why.message); /* of an epsilon of 1 there was enough for two */
    dither_ledger_close(ledger);
    dither_random_free(random);
    return status == DITHER_REFUSED ? 0 : 1;
}
