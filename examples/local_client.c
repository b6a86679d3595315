/* An app that asks its user one thing and sends a report that keeps its epsilon, whoever reads it:
 *
 *     cc local_client.c $(pkg-config --cflags --libs dither)
 *     ./a.out ACCOUNT VALUE >> reports.txt       (without them: commuting.account, and 2: the bus)
 *
 * The question was printed by `dither local survey examples/commuting/commuting.yaml --code`. The account is a file with two
 * numbers, the lifetime cap and what was spent: here a cap of 10 where there is none. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <dither.h>

static const dither_local_question commuting_transport = {
    .key = 0xcd9a4c09c059752b,
    .mechanism = "oue",
    .period = DITHER_LOCAL_MONTHLY,
    .epsilon = 0x1p+1,
    .domain = 5,
};

/* The charge is on the disk before the report leaves; one that never leaves was paid for in vain, which is the safe side. */
static int save(const char *path, const dither_local_account *account)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return 0;
    int written = fprintf(file, "%a %a\n", account->cap, account->spent) > 0;
    return fclose(file) == 0 && written;
}

int main(int argc, char **argv)
{
    dither_error why;
    dither_local_client client;
    dither_local_account account = {10, 0};
    unsigned char report[64];
    const char *path = argc > 1 ? argv[1] : "commuting.account";
    uint32_t value = argc > 2 ? (uint32_t)atoi(argv[2]) : 2;
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        int known = fscanf(file, "%la %la", &account.cap, &account.spent) == 2;
        fclose(file);
        if (!known)
            return 1; /* an account that cannot be read allows nothing */
    }
    dither_random *random = dither_random_new(&why);
    if (random == NULL || dither_local_init(&client, &commuting_transport, &why) != DITHER_OK ||
        dither_local_report_size(&client) > sizeof report ||
        dither_local_report(&client, value, time(NULL), &account, random, report, &why) != DITHER_OK) {
        fprintf(stderr, "%s\n", why.message);
        dither_random_free(random);
        return 1;
    }
    dither_random_free(random);
    if (!save(path, &account))
        return 1;
    for (size_t i = 0; i < dither_local_report_size(&client); i++)
        printf("%02x", report[i]);
    putchar('\n');
    return 0;
}
