#include "tests/support/public_ledger.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

struct house house;

dither_status public_open(void)
{
    dither_ledger_close(house.ledger);
    house.ledger = NULL;
    return dither_ledger_open(house.file, &house.config, &house.options, &house.ledger, &house.why);
}

int public_ledger_setup(void **state)
{
    (void)state;
    house = (struct house){.folder = "/tmp/dither-public-XXXXXX", .blocks = {"north", "south"}};
    assert_non_null(mkdtemp(house.folder));
    snprintf(house.file, sizeof house.file, "%s/hospital.ledger", house.folder);
    house.options.state_directory = house.folder;
    house.group = (dither_group){"interns", {.epsilon = "1"}};
    house.analysts[0] = (dither_analyst){.name = "alice", .cap = {.epsilon = "3"}};
    house.analysts[1] = (dither_analyst){"bob", {.epsilon = "3"}, &house.interns, 1};
    house.config = (dither_ledger_config){.dataset = "hospital",
                                          .data_version = 1,
                                          .unit = "patients.patient_id",
                                          .currency = DITHER_APPROXIMATE,
                                          .total = {.epsilon = "10", .delta = "1e-6"},
                                          .per_question = {.epsilon = "5"},
                                          .block_column = "patients.region",
                                          .blocks = house.blocks,
                                          .block_count = 2,
                                          .groups = &house.group,
                                          .group_count = 1,
                                          .analysts = house.analysts,
                                          .analyst_count = 2};
    assert_ok(public_open());
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about;
    (void)type;
    (void)walk;
    return remove(path);
}

int public_ledger_teardown(void **state)
{
    (void)state;
    dither_ledger_close(house.ledger);
    return nftw(house.folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

dither_question_release public_release(const char *key, const char *epsilon)
{
    return (dither_question_release){.key = {key, strlen(key)}, .cost = {.epsilon = epsilon}};
}

dither_status public_reserve(const char *analyst, const char *request, dither_question_release one,
                             dither_reservation **out)
{
    const dither_question question = {.analyst = analyst,
                                      .request = request,
                                      .text = "SELECT count(*) FROM patients",
                                      .releases = &one,
                                      .release_count = 1};
    return dither_ledger_reserve(house.ledger, &question, out, &house.why);
}

dither_status public_ask(const char *analyst, const char *request, dither_question_release one,
                         const char *result)
{
    dither_reservation *reservation = NULL;
    dither_status status = public_reserve(analyst, request, one, &reservation);
    if (status != DITHER_OK)
        return status;
    const dither_bytes bytes = {result, strlen(result)};
    status = dither_ledger_settle(house.ledger, reservation, &bytes, 1, bytes, &house.why);
    dither_reservation_free(reservation);
    return status;
}

const char *public_left(const char *analyst, const size_t *block)
{
    static dither_amount_text text;
    assert_ok(dither_ledger_left(house.ledger, analyst, block, block != NULL, &text, &house.why));
    return text.epsilon;
}
