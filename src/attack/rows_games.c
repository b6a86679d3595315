/* The attacks that play on any made-up rows: averaging, differences, trackers, linkage, membership.
 *
 * In each the adversary looks for one bit of a victim: the secret of somebody whom he can name, or whether somebody is in the data. The baseline
 * counts exactly; Dither is asked the same in one question for all victims of a round. Rounds have victims, rows and a ledger of
 * their own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attack/audit_parts.h"
#include "attack/rows.h"

enum {
    ROUNDS = 8,
    QUICK_ROUNDS = 2,
    FEWEST = 5,    /* the exact system refuses counts of fewer people, or of all but fewer */
    ANSWERS = 20,  /* with fresh noise */
    WORDINGS = 12, /* that are put to Dither */
    PIECES = 10,   /* of the budget; what is beyond is refused */
    MOST_PROBES = 4,
    TEXT_BYTES = 1 << 20,
};

/* A count of those of whom something holds. In the text {v} stands for the victims and {V} for all others, {s} for the secret,
 * {i} for the unit. */
struct probe {
    double sign;
    const char *condition;
    bool (*holds)(const struct rows_person *person, bool victim);
};

struct game {
    const struct attack_settings *settings;
    const struct rows *rows;
    struct attack_result *result;
    struct dice dice;
    struct rows_victims victims;
    double *sums;
};

/* ---- Conditions ---- */

static status write_condition(const struct game *game, const char *pattern, struct buffer *out, error *why)
{
    buffer_clear(out);
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at != '{') {
            buffer_byte(out, *at);
            continue;
        }
        if (at[1] == 's')
            audit_print_name(out, game->rows->secret->name);
        else if (at[1] == 'i')
            audit_print_name(out, game->rows->id->name);
        else
            rows_print_victims(game->rows, &game->victims, at[1] == 'V', out);
        at += 2;
    }
    return buffer_check(out, why);
}

static status ask(struct game *game, struct lab *lab, const char *pattern, const char *share, double sign,
                  bool *cached, error *why)
{
    struct buffer condition;
    buffer_init(&condition, TEXT_BYTES);
    status result = write_condition(game, pattern, &condition, why);
    if (result == DITHER_OK)
        result =
            rows_ask(game->rows, lab, &game->victims, condition.data, share, sign, game->sums, cached, why);
    buffer_free(&condition);
    return result;
}

/* ---- Rounds ---- */

static size_t rounds(const struct attack_settings *settings)
{
    return settings->quick ? QUICK_ROUNDS : ROUNDS;
}

static status begin(struct game *game, const struct attack_settings *settings, struct attack_result *result,
                    const char *name, error *why)
{
    *game = (struct game){.settings = settings, .rows = settings->rows, .result = result};
    dice_init(&game->dice, settings->seed, name);
    result->guessing = 0.5;
    result->baseline = result->dither = 0;
    result->bound = attack_bound(settings->epsilon);
    return arena_take(&result->arena, game->rows->group_count * sizeof *game->sums, (void **)&game->sums,
                      why);
}

static status next_round(struct game *game, error *why)
{
    TRY(rows_choose(game->rows, &game->dice, &game->result->arena, &game->victims, why));
    game->result->trials += game->victims.count;
    return DITHER_OK;
}

static void forget(struct game *game)
{
    for (size_t i = 0; i < game->victims.count; i++)
        game->sums[i] = 0;
}

static bool secret_of(const struct game *game, size_t victim)
{
    return game->rows->people[game->victims.people[victim]].secret;
}

/* How many victims' secrets are told right by a sum above one half. */
static double told(const struct game *game)
{
    double right = 0;
    for (size_t i = 0; i < game->victims.count; i++)
        right += (game->sums[i] > 0.5) == secret_of(game, i);
    return right;
}

/* ---- Differences and trackers ---- */

/* The exact system, asked about one victim among all people. False: it refuses. */
static bool subtract_exactly(const struct game *game, const struct probe *probes, size_t count, size_t victim,
                             double *sum)
{
    *sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t held = 0;
        for (size_t j = 0; j < game->rows->count; j++)
            held += probes[i].holds(&game->rows->people[j], j == game->victims.people[victim]);
        if (held < FEWEST || held + FEWEST > game->rows->count)
            return false;
        *sum += probes[i].sign * (double)held;
    }
    return true;
}

static status subtract_noisily(struct game *game, const struct probe *probes, size_t count, double *right,
                               error *why)
{
    struct lab *lab = NULL;
    char share[DECIMAL_TEXT];
    bool cached = false;
    lab_share(game->settings->epsilon, count, share);
    forget(game);
    TRY(lab_new(&lab, why));
    status result = rows_open(game->rows, lab, game->settings->epsilon, NULL, why);
    for (size_t i = 0; i < count && result == DITHER_OK; i++)
        result = ask(game, lab, probes[i].condition, share, probes[i].sign, &cached, why);
    lab_free(lab);
    if (result == DITHER_OK)
        *right += told(game);
    return result;
}

static status play_probes(const struct attack_settings *settings, struct attack_result *result,
                          const char *name, const struct probe *probes, size_t count, error *why)
{
    struct game game;
    double exact = 0, noisy = 0;
    TRY(begin(&game, settings, result, name, why));
    for (size_t round = 0; round < rounds(settings); round++) {
        TRY(next_round(&game, why));
        for (size_t i = 0; i < game.victims.count; i++) {
            double sum;
            exact +=
                subtract_exactly(&game, probes, count, i, &sum) ? (sum > 0.5) == secret_of(&game, i) : 0.5;
        }
        TRY(subtract_noisily(&game, probes, count, &noisy, why));
    }
    result->baseline = exact / (double)result->trials;
    result->dither = noisy / (double)result->trials;
    return DITHER_OK;
}

static bool has_secret(const struct rows_person *person, bool victim)
{
    (void)victim;
    return person->secret;
}

static bool has_secret_but_the_victim(const struct rows_person *person, bool victim)
{
    return person->secret && !victim;
}

static bool is_even(const struct rows_person *person)
{
    return (person->id[strlen(person->id) - 1] - '0') % 2 == 0;
}

static bool hidden_among_even(const struct rows_person *person, bool victim)
{
    return (victim && person->secret) || is_even(person);
}

static bool hidden_among_odd(const struct rows_person *person, bool victim)
{
    return (victim && person->secret) || !is_even(person);
}

static bool even(const struct rows_person *person, bool victim)
{
    (void)victim;
    return is_even(person);
}

static bool odd(const struct rows_person *person, bool victim)
{
    (void)victim;
    return !is_even(person);
}

status rows_intersection(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    static const struct probe difference[] = {{+1, "{s}", has_secret},
                                              {-1, "{s} AND {V}", has_secret_but_the_victim}};
    return play_probes(settings, result, "rows intersection", difference, 2, why);
}

status rows_tracker(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    static const struct probe tracker[MOST_PROBES] = {
        {+1, "({s} AND {v}) OR {i} % 2 = 0", hidden_among_even},
        {+1, "({s} AND {v}) OR {i} % 2 <> 0", hidden_among_odd},
        {-1, "{i} % 2 = 0", even},
        {-1, "{i} % 2 <> 0", odd},
    };
    return play_probes(settings, result, "rows tracker", tracker, MOST_PROBES, why);
}

/* ---- Averaging ---- */

static double evidence(double epsilon, double y)
{
    return epsilon * (fabs(y) - fabs(y - 1));
}

static double right_by_fresh_noise(struct game *game)
{
    double right = 0;
    for (size_t i = 0; i < game->victims.count; i++) {
        double odds = 0;
        for (size_t k = 0; k < ANSWERS; k++)
            odds += evidence(1, secret_of(game, i) + dice_laplace(&game->dice, 1));
        right += (odds > 0) == secret_of(game, i);
    }
    return right;
}

/* The same with other words until it is refused, a piece of the budget each; the mean of what was answered. */
static status ask_again_and_again(struct game *game, size_t pieces, double *right, size_t *answered,
                                  error *why)
{
    struct lab *lab = NULL;
    char share[DECIMAL_TEXT];
    lab_share(game->settings->epsilon, pieces, share);
    forget(game);
    TRY(lab_new(&lab, why));
    status result = rows_open(game->rows, lab, game->settings->epsilon, NULL, why);
    for (size_t i = 0; i < WORDINGS && result == DITHER_OK; i++) {
        char pattern[100];
        bool cached = false;
        snprintf(pattern, sizeof pattern, "{s} AND {v} AND {i} > -%zu", pieces > 1 ? i + 1 : 1);
        status asked = ask(game, lab, pattern, share, 1, &cached, why);
        *answered += asked == DITHER_OK && !cached;
        result = asked == DITHER_REFUSED ? DITHER_OK : asked;
    }
    lab_free(lab);
    for (size_t i = 0; i<game->victims.count && * answered> 0; i++)
        game->sums[i] /= (double)*answered;
    if (result == DITHER_OK)
        *right += told(game);
    return result;
}

status rows_averaging(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct game game;
    double fresh = 0, once = 0, pieces = 0;
    size_t last = 0;
    TRY(begin(&game, settings, result, "rows averaging", why));
    for (size_t round = 0; round < rounds(settings); round++) {
        size_t answered = 0;
        last = 0;
        TRY(next_round(&game, why));
        fresh += right_by_fresh_noise(&game);
        TRY(ask_again_and_again(&game, 1, &once, &answered, why));
        TRY(ask_again_and_again(&game, PIECES, &pieces, &last, why));
    }
    double trials = (double)result->trials;
    result->baseline = fresh / trials;
    result->dither = fmax(once, pieces) / trials;
    attack_fact(result, "Dither, the same question 12 times", once / trials);
    attack_fact(result, "Dither, a tenth of the budget for each of 12 wordings", pieces / trials);
    attack_fact(result, "Dither, wordings that were answered", (double)last);
    return DITHER_OK;
}

/* ---- Linkage ---- */

/* A file without ids, with all other columns left in, joined with a list of names that has these columns too: who is alone with
 * his columns is named, and the others' secret is that of most who look like them. */
static bool told_by_join(const struct rows *rows, size_t victim)
{
    size_t alike[2] = {0};
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->people[i].others, rows->people[victim].others) == 0)
            alike[rows->people[i].secret]++;
    return (alike[1] > alike[0]) == rows->people[victim].secret;
}

status rows_linkage(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    static const struct probe direct[] = {{+1, "{s} AND {v}", NULL}};
    struct game game;
    double joined = 0, noisy = 0;
    TRY(begin(&game, settings, result, "rows linkage", why));
    for (size_t round = 0; round < rounds(settings); round++) {
        TRY(next_round(&game, why));
        for (size_t i = 0; i < game.victims.count; i++)
            joined += told_by_join(game.rows, game.victims.people[i]);
        TRY(subtract_noisily(&game, direct, 1, &noisy, why));
    }
    result->baseline = joined / (double)result->trials;
    result->dither = noisy / (double)result->trials;
    return DITHER_OK;
}

/* ---- Membership ---- */

/* A histogram is published. The adversary knows everybody but the victim, and so what the victim's bar would be without him. */
static double known_others(const struct game *game, const bool *left_out, size_t victim)
{
    size_t person = game->victims.people[victim], count = 0;
    for (size_t i = 0; i < game->rows->count; i++)
        count +=
            i != person && !left_out[i] && game->rows->people[i].group == game->rows->people[person].group;
    return (double)count;
}

/* How many are told right by these bars, exact or noisy. */
static double told_by_bars(const struct game *game, const bool *left_out, const double *bars)
{
    double right = 0;
    for (size_t i = 0; i < game->victims.count; i++)
        right += (bars[i] - known_others(game, left_out, i) > 0.5) == !left_out[game->victims.people[i]];
    return right;
}

static void count_bars(const struct game *game, const bool *left_out, double *bars)
{
    for (size_t i = 0; i < game->victims.count; i++) {
        bars[i] = 0;
        for (size_t j = 0; j < game->rows->count; j++)
            bars[i] += !left_out[j] &&
                       game->rows->people[j].group == game->rows->people[game->victims.people[i]].group;
    }
}

static status ask_histogram(struct game *game, const bool *left_out, double *right, error *why)
{
    struct lab *lab = NULL;
    bool cached = false;
    forget(game);
    TRY(lab_new(&lab, why));
    status result = rows_open(game->rows, lab, game->settings->epsilon, left_out, why);
    if (result == DITHER_OK)
        result = ask(game, lab, "{i} IS NOT NULL", game->settings->epsilon, 1, &cached, why);
    lab_free(lab);
    if (result == DITHER_OK)
        *right += told_by_bars(game, left_out, game->sums);
    return result;
}

status rows_membership(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct game game;
    bool *left_out;
    double exact = 0, noisy = 0;
    TRY(begin(&game, settings, result, "rows membership", why));
    TRY(arena_take(&result->arena, game.rows->count * sizeof *left_out, (void **)&left_out, why));
    for (size_t round = 0; round < rounds(settings); round++) {
        TRY(next_round(&game, why));
        memset(left_out, 0, game.rows->count * sizeof *left_out);
        for (size_t i = 0; i < game.victims.count; i++)
            left_out[game.victims.people[i]] = dice_chance(&game.dice, 0.5);
        count_bars(&game, left_out, game.sums);
        exact += told_by_bars(&game, left_out, game.sums);
        TRY(ask_histogram(&game, left_out, &noisy, why));
    }
    result->baseline = exact / (double)result->trials;
    result->dither = noisy / (double)result->trials;
    return DITHER_OK;
}
