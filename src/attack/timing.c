/* Timing: what the clock tells when the noise does not.
 *
 * Haeberlen, Pierce, Narayan (2011): how long an answer takes may depend on the data. One person with very many rows makes
 * every question slower, so that his presence is seen without looking at any answer. And Jin, McMurtry, Rubinstein,
 * Ohrimenko (2022): a sampler that counts coins until the first head takes longer for larger noise, so that the time gives
 * the noise away.
 *
 * A server has two tables that differ in that person alone, and is asked the same questions about both by turns, over the
 * wire. Dither promises nothing about time unless the policy says `timing: {step: ...}`: answers then leave at the ticks of a
 * clock. The first server has no step, and is the baseline; the second has one. */
#include <math.h>
#include <stdio.h>

#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/ranks.h"
#include "attack/server.h"
#include "base/monotonic.h"

enum {
    OTHERS = 20000, /* rows of other people */
    EACH = 4,       /* of each, and as many of one person count */
    HEAVY = 600000, /* rows of the one */
    QUICK_HEAVY = 60000,
    QUESTIONS = 20, /* about each table */
    QUICK_QUESTIONS = 3,
    WORDINGS = 3, /* of each question: the fastest counts, as what else runs on the machine only ever slows */
    COIN_DRAWS = 2000,
    COIN_SCALE = 2000,
};

/* ---- A sampler that counts coins ---- */

/* How well the time of a draw orders the noise. */
static double coin_correlation(struct dice *dice)
{
    static double seconds[COIN_DRAWS], noise[COIN_DRAWS], room[2 * COIN_DRAWS];
    for (size_t i = 0; i < COIN_DRAWS; i++) {
        double begin = monotonic_seconds();
        noise[i] = 0;
        while (!dice_chance(dice, 1.0 / COIN_SCALE))
            noise[i]++;
        seconds[i] = monotonic_seconds() - begin;
    }
    return ranks_correlation(seconds, noise, COIN_DRAWS, room);
}

/* ---- Two tables ---- */

static const char *const tables[] = {"without", "with_him"};

static status write_table(struct lab *lab, size_t heavy, const char *file, error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "person,value\n");
    for (size_t i = 0; i < OTHERS; i++)
        buffer_format(text, "%zu,%zu\n", 1 + i / EACH, i % 100);
    for (size_t i = 0; i < heavy; i++)
        buffer_format(text, "0,%zu\n", i % 100);
    return lab_save(lab, file, why);
}

static status write_policy(struct lab *lab, const char *step, error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "dataset: timing\n");
    if (step != NULL)
        buffer_format(text, "timing: {step: %s}\n", step);
    buffer_text(text, "tables:\n");
    for (size_t table = 0; table < 2; table++)
        buffer_format(text,
                      "  %s:\n    source: %s.csv\n    unit: person\n    max_rows: %d\n    max_groups: 1\n"
                      "    columns:\n      person: {type: integer, null: false}\n"
                      "      value: {type: integer, range: [0, 100], null: false}\n",
                      tables[table], tables[table], EACH);
    return lab_save_policy(lab, "10000", "per_question: 1", why);
}

/* What was measured: without the person, and with him. */
struct measured {
    double seconds[2][QUESTIONS], noise[2][QUESTIONS];
};

struct timed {
    double seconds, number;
};

/* The same question in words that are new each time, so that nothing is stored yet; the fastest answer. */
static status ask_fastest(struct server *server, const char *table, size_t question, struct timed *fastest,
                          error *why)
{
    for (size_t wording = 0; wording < WORDINGS; wording++) {
        char sql[100];
        struct timed timed;
        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE value > -%zu", table,
                 question * WORDINGS + wording + 1);
        TRY(server_ask(server, sql, &timed.seconds, &timed.number, why));
        if (wording == 0 || timed.seconds < fastest->seconds)
            *fastest = timed;
    }
    return DITHER_OK;
}

/* By turns, so that whatever else the machine does slows both. The first one is for the server to warm up. */
static status ask_by_turns(struct server *server, size_t questions, struct measured *measured, error *why)
{
    TRY(server_set(server, "SET dither.notices = off", why));
    for (size_t i = 0; i <= questions; i++)
        for (size_t table = 0; table < 2; table++) {
            struct timed fastest;
            TRY(ask_fastest(server, tables[table], i, &fastest, why));
            if (i == 0)
                continue;
            measured->seconds[table][i - 1] = fastest.seconds;
            measured->noise[table][i - 1] = fabs(fastest.number - (table == 1 ? OTHERS + EACH : OTHERS));
        }
    return DITHER_OK;
}

static status measure(const struct attack_settings *settings, const char *step, struct measured *measured,
                      error *why)
{
    struct lab *lab = NULL;
    struct server *server = NULL;
    TRY(lab_new(&lab, why));
    status result = write_table(lab, 0, "without.csv", why);
    if (result == DITHER_OK)
        result = write_table(lab, settings->quick ? QUICK_HEAVY : HEAVY, "with_him.csv", why);
    if (result == DITHER_OK)
        result = write_policy(lab, step, why);
    if (result == DITHER_OK)
        result = server_open(settings->program, lab, "timing", &server, why);
    if (result == DITHER_OK)
        result = ask_by_turns(server, settings->quick ? QUICK_QUESTIONS : QUESTIONS, measured, why);
    server_close(server);
    lab_free(lab);
    return result;
}

/* ---- The attack ---- */

static double mean(const double *numbers, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += numbers[i] / (double)count;
    return sum;
}

static status draw(struct attack_result *result, const char *title, const struct measured *measured,
                   size_t count, error *why)
{
    static const char *const names[] = {"without the person", "with the person"};
    struct plot_panel *panel = attack_panel(result, title, "question", "milliseconds");
    for (size_t world = 0; world < 2; world++) {
        double *x, *y;
        TRY(attack_line(result, panel, names[world], count, &x, &y, why));
        for (size_t i = 0; i < count; i++) {
            x[i] = (double)(i + 1);
            y[i] = 1000 * measured->seconds[world][i];
        }
    }
    return DITHER_OK;
}

static double noise_correlation(const struct measured *measured, size_t count)
{
    double room[2 * QUESTIONS];
    return (ranks_correlation(measured->seconds[0], measured->noise[0], count, room) +
            ranks_correlation(measured->seconds[1], measured->noise[1], count, room)) /
           2;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    static const char step[] = "200ms";
    size_t count = settings->quick ? QUICK_QUESTIONS : QUESTIONS;
    struct measured bare, stepped;
    struct dice dice;
    if (settings->program == NULL || *settings->program == '\0')
        return fail(why, DITHER_INVALID, "the program's own file is not known, so no server can be started");
    dice_init(&dice, settings->seed, "timing");
    TRY(measure(settings, NULL, &bare, why));
    TRY(measure(settings, step, &stepped, why));
    result->guessing = 0.5;
    result->baseline = ranks_area(bare.seconds[1], count, bare.seconds[0], count);
    result->dither = ranks_area(stepped.seconds[1], count, stepped.seconds[0], count);
    result->trials = count;
    attack_fact(result, "rows of the person", settings->quick ? QUICK_HEAVY : HEAVY);
    attack_fact(result, "no step, milliseconds without the person", 1000 * mean(bare.seconds[0], count));
    attack_fact(result, "no step, milliseconds with the person", 1000 * mean(bare.seconds[1], count));
    attack_fact(result, "step of 200 ms, milliseconds without the person",
                1000 * mean(stepped.seconds[0], count));
    attack_fact(result, "step of 200 ms, milliseconds with the person",
                1000 * mean(stepped.seconds[1], count));
    attack_fact(result, "coins counted, rank correlation of time and noise", coin_correlation(&dice));
    attack_fact(result, "no step, rank correlation of time and noise", noise_correlation(&bare, count));
    attack_fact(result, "step, rank correlation of time and noise", noise_correlation(&stepped, count));
    TRY(draw(result, "No step", &bare, count, why));
    return draw(result, "timing: {step: 200ms}", &stepped, count, why);
}

const struct attack attack_timing = {
    .name = "timing",
    .summary = "tell from the clock whether a person with very many rows is there",
    .baseline = "Dither's server without timing.step",
    .success = "pairs of answers, with the person and without, that time orders right",
    .reference = "Haeberlen, Pierce, Narayan 2011; Jin, McMurtry, Rubinstein, Ohrimenko 2022",
    .run = run,
};
