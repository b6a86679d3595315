#include "tests/support/ledger.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "tests/support/test.h"

static status hand_now(void *state, struct instant *out, error *why)
{
    (void)why;
    *out = *(const struct instant *)state;
    return DITHER_OK;
}

struct decimal decimal(const char *text)
{
    struct decimal value;
    if (strcmp(text, "unlimited") == 0)
        return decimal_unlimited();
    assert_int_equal(decimal_parse(text, &value, NULL), DITHER_OK);
    return value;
}

struct ledger_cost epsilon(const char *text)
{
    return (struct ledger_cost){.epsilon = decimal(text)};
}

struct ledger_release release(const char *key, const char *epsilon_text)
{
    return (struct ledger_release){.key = key, .key_size = strlen(key), .cost = epsilon(epsilon_text)};
}

static void declare(struct ledger_fixture *fixture)
{
    static const size_t interns[] = {0};
    struct ledger_cost unlimited = ledger_cost_unlimited(), three = unlimited, one = unlimited,
                       five = unlimited;
    three.epsilon = decimal("3");
    one.epsilon = decimal("1");
    five.epsilon = decimal("5");
    fixture->groups[0] = (struct ledger_group){"interns", one};
    fixture->analysts[0] = (struct ledger_analyst){.name = "alice", .cap = three};
    fixture->analysts[1] = (struct ledger_analyst){"bob", three, interns, 1};
    fixture->analysts[2] = (struct ledger_analyst){.name = "carol", .cap = unlimited};
    fixture->blocks[NORTH] = "north";
    fixture->blocks[SOUTH] = "south";
    fixture->blocks[EAST] = "east";
    fixture->config = (struct ledger_config){.dataset = "hospital",
                                             .data_version = 1,
                                             .unit = "patients.patient_id",
                                             .currency = LEDGER_PURE,
                                             .total = epsilon("10"),
                                             .question_most = five,
                                             .block_column = "patients.region",
                                             .blocks = fixture->blocks,
                                             .block_count = 3,
                                             .groups = fixture->groups,
                                             .group_count = 1,
                                             .analysts = fixture->analysts,
                                             .analyst_count = 3};
}

static void init_under(struct ledger_fixture *fixture, const char *root)
{
    memset(fixture, 0, sizeof *fixture);
    snprintf(fixture->folder, sizeof fixture->folder, "%s/dither-ledger-XXXXXX", root);
    assert_non_null(mkdtemp(fixture->folder));
    snprintf(fixture->file, sizeof fixture->file, "%.60s/hospital.ledger", fixture->folder);
    snprintf(fixture->state, sizeof fixture->state, "%.60s/state", fixture->folder);
    fixture->clock.instant = (struct instant){.wall = 1700000000, .run = 5000000000000, .boot = "b00t"};
    fixture->clock.clock = (struct ledger_clock){hand_now, &fixture->clock.instant};
    fixture->options = (struct ledger_options){fixture->state, &fixture->clock.clock, NULL};
    declare(fixture);
}

void fixture_init(struct ledger_fixture *fixture)
{
    init_under(fixture, "/tmp");
}

void fixture_init_in_memory(struct ledger_fixture *fixture)
{
    init_under(fixture, access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
}

void fixture_shell(struct ledger_fixture *fixture, const char *command)
{
    char line[2000];
    size_t length = 0;
    for (const char *next = command; *next != '\0'; next++) {
        if (next[0] == '%' && next[1] == 's') {
            length += (size_t)snprintf(line + length, sizeof line - length, "%s", fixture->folder);
            next++;
        } else {
            line[length++] = *next;
        }
        assert_true(length < sizeof line - 1);
    }
    line[length] = '\0';
    assert_int_equal(system(line), 0);
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about;
    (void)type;
    return walk->level == 0 ? 0 : remove(path);
}

void fixture_clear(struct ledger_fixture *fixture)
{
    fixture_close(fixture);
    assert_int_equal(nftw(fixture->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

void fixture_free(struct ledger_fixture *fixture)
{
    fixture_clear(fixture);
    assert_int_equal(rmdir(fixture->folder), 0);
}

status fixture_try_open(struct ledger_fixture *fixture)
{
    fixture_close(fixture);
    return ledger_open(fixture->file, &fixture->config, &fixture->options, &fixture->ledger, &fixture->why);
}

void fixture_open(struct ledger_fixture *fixture)
{
    assert_ok(fixture, fixture_try_open(fixture));
}

void fixture_close(struct ledger_fixture *fixture)
{
    ledger_close(fixture->ledger);
    fixture->ledger = NULL;
}

status fixture_reserve(struct ledger_fixture *fixture, const char *analyst, struct ledger_release release,
                       struct ledger_reservation **out)
{
    struct ledger_question question = {.analyst = analyst,
                                       .text = "SELECT count(*) FROM patients",
                                       .releases = &release,
                                       .release_count = 1};
    struct ledger_reservation *reservation = NULL;
    TRY(ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why));
    if (out != NULL)
        *out = reservation;
    else
        ledger_reservation_free(reservation);
    return DITHER_OK;
}

status fixture_ask(struct ledger_fixture *fixture, const char *analyst, struct ledger_release release,
                   const char *result)
{
    struct ledger_reservation *reservation = NULL;
    TRY(fixture_reserve(fixture, analyst, release, &reservation));
    struct ledger_bytes bytes = {result, strlen(result)};
    status outcome = ledger_settle(fixture->ledger, reservation, &bytes, bytes, &fixture->why);
    ledger_reservation_free(reservation);
    return outcome;
}

static const char *left_on(struct ledger_fixture *fixture, const char *analyst, const size_t *blocks,
                           size_t count)
{
    static char text[LEDGER_COST_TEXT];
    struct ledger_cost left;
    assert_ok(fixture, ledger_left(fixture->ledger, analyst, blocks, count, &left, &fixture->why));
    ledger_cost_print(left, fixture->config.currency, text);
    return text;
}

const char *fixture_left(struct ledger_fixture *fixture, const char *analyst)
{
    return left_on(fixture, analyst, NULL, 0);
}

const char *fixture_left_on(struct ledger_fixture *fixture, const char *analyst, size_t block)
{
    return left_on(fixture, analyst, &block, 1);
}

void fixture_pass(struct ledger_fixture *fixture, uint64_t seconds)
{
    fixture->clock.instant.wall += seconds;
    fixture->clock.instant.run += seconds * 1000000000;
}

void fixture_tamper(struct ledger_fixture *fixture, const char *sql)
{
    sqlite3 *database = NULL;
    char *problem = NULL;
    assert_int_equal(sqlite3_open(fixture->file, &database), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, &problem) != SQLITE_OK)
        fail_msg("%s: %s", sql, problem);
    sqlite3_close(database);
}
