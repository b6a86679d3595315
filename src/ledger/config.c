#include <string.h>

#include "base/utf8.h"
#include "ledger/handle.h"

status config_check_text(const char *what, const char *text, size_t most, error *why)
{
    if (text == NULL || text[0] == '\0')
        return fail(why, DITHER_INVALID, "%s is empty", what);
    size_t length = strnlen(text, most + 1);
    if (length > most)
        return fail(why, DITHER_INVALID, "%s is longer than %zu bytes", what, most);
    if (!utf8_valid(text, length))
        return fail(why, DITHER_INVALID, "%s is not valid UTF-8", what);
    return DITHER_OK;
}

static status check_total(const struct ledger_config *config, error *why)
{
    struct ledger_cost same, total = config->total;
    if (!ledger_cost_add(total, ledger_cost_zero(), &same))
        return fail(why, DITHER_INVALID, "the dataset's total must be limited in every component");
    if (!ledger_cost_in_currency(total, config->currency))
        return fail(why, DITHER_INVALID, "the dataset's total is not in its currency");
    if (decimal_compare(total.delta, (struct decimal){1000000000000 * (uint128_t)1000000000000}) >= 0)
        return fail(why, DITHER_INVALID, "a total delta of 1 or more protects nobody");
    return DITHER_OK;
}

static status check_blocks(const struct ledger_config *config, error *why)
{
    if (config->block_count > LEDGER_MOST_BLOCKS)
        return fail(why, DITHER_INVALID, "there are more than %d blocks", LEDGER_MOST_BLOCKS);
    if (config->block_column == NULL && config->block_count > 0)
        return fail(why, DITHER_INVALID, "blocks need a block column");
    if (config->block_column != NULL)
        TRY(config_check_text("the block column", config->block_column, LEDGER_NAME_BYTES, why));
    for (size_t i = 0; i < config->block_count; i++) {
        if (config->blocks[i] == NULL || strlen(config->blocks[i]) > LEDGER_NAME_BYTES ||
            !utf8_valid(config->blocks[i], strlen(config->blocks[i])))
            return fail(why, DITHER_INVALID, "block %zu is not a text of at most %d bytes", i + 1,
                        LEDGER_NAME_BYTES);
        for (size_t k = 0; k < i; k++)
            if (strcmp(config->blocks[i], config->blocks[k]) == 0)
                return fail(why, DITHER_INVALID, "a block is declared twice");
    }
    return DITHER_OK;
}

/* Names are looked up in an index, so that many of them stay quick. */
static status check_unique(struct index *names, const char *what, const char *name, error *why)
{
    struct digest key;
    uint64_t found;
    TRY(config_check_text(what, name, LEDGER_NAME_BYTES, why));
    TRY(digest_of(name, strlen(name), &key, why));
    if (index_find(names, &key, &found))
        return fail(why, DITHER_INVALID, "%s is declared twice", what);
    return index_add(names, &key, 0, why);
}

static status check_groups(const struct ledger_config *config, struct index *names, error *why)
{
    for (size_t i = 0; i < config->group_count; i++)
        TRY(check_unique(names, "the name of a group", config->groups[i].name, why));
    return DITHER_OK;
}

static status check_analysts(const struct ledger_config *config, struct index *names, error *why)
{
    for (size_t i = 0; i < config->analyst_count; i++) {
        const struct ledger_analyst *analyst = &config->analysts[i];
        TRY(check_unique(names, "the name of an analyst", analyst->name, why));
        for (size_t k = 0; k < analyst->group_count; k++) {
            if (analyst->groups[k] >= config->group_count)
                return fail(why, DITHER_INVALID, "an analyst is in a group that is not declared");
            for (size_t j = 0; j < k; j++)
                if (analyst->groups[j] == analyst->groups[k])
                    return fail(why, DITHER_INVALID, "an analyst is in a group twice");
        }
    }
    return DITHER_OK;
}

status config_check(const struct ledger_config *config, error *why)
{
    TRY(config_check_text("the dataset's name", config->dataset, LEDGER_NAME_BYTES, why));
    TRY(config_check_text("the description of the units", config->unit, LEDGER_TEXT_BYTES, why));
    if ((unsigned)config->currency > LEDGER_CONCENTRATED || (unsigned)config->renewal > LEDGER_YEARLY)
        return fail(why, DITHER_INVALID, "the currency or the renewal is none that there is");
    if (config->group_count > LEDGER_MOST_HOLDERS || config->analyst_count > LEDGER_MOST_HOLDERS)
        return fail(why, DITHER_INVALID, "there are more than %d analysts or groups", LEDGER_MOST_HOLDERS);
    TRY(check_total(config, why));
    TRY(check_blocks(config, why));
    struct index groups = {0}, analysts = {0};
    status result = check_groups(config, &groups, why);
    if (result == DITHER_OK)
        result = check_analysts(config, &analysts, why);
    index_free(&groups);
    index_free(&analysts);
    return result;
}
