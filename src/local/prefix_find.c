/* The search: group by group, all extensions of what was frequent so far.
 *
 * The hash is linear, so the image of a candidate is that of its parent plus that of the bits that were added, and the latter are the same
 * for all parents: a report costs parents + extensions multiplications, and an addition and a comparison per candidate. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "local/hash.h"
#include "local/kinds.h"
#include "local/normal.h"
#include "local/prefix_parts.h"

struct candidate {
    unsigned char bytes[PREFIX_LENGTH_LIMIT];
    double count; /* estimated, among its group */
};

struct search {
    const struct prefix *prefix;
    const struct prefix_source *source;
    const struct prefix_search *wanted;
    struct candidate *parents, *children; /* keep + 1 each: one is on trial */
    size_t parent_count, child_count;
    unsigned char (*extensions)[PREFIX_LENGTH_LIMIT]; /* the bits that the group adds, in all ways */
    uint32_t *counts, *parent_images, *extension_images;
    uint32_t group, from, end; /* the one that is counted, and which bits it adds */
    uint64_t people;           /* of the group */
    struct prefix_found found; /* of all groups */
};

static status open_search(struct search *search, error *why)
{
    size_t keep = search->wanted->keep, extensions = (size_t)1 << search->prefix->setting.step;
    search->parents = memory_allocate((keep + 1) * sizeof *search->parents);
    search->children = memory_allocate((keep + 1) * sizeof *search->children);
    search->counts = memory_allocate(keep * extensions * sizeof *search->counts);
    search->extensions = memory_allocate(extensions * sizeof *search->extensions);
    search->parent_images = memory_allocate(keep * sizeof *search->parent_images);
    search->extension_images = memory_allocate(extensions * sizeof *search->extension_images);
    bool all = search->parents != NULL && search->children != NULL && search->counts != NULL &&
               search->extensions != NULL && search->parent_images != NULL &&
               search->extension_images != NULL;
    return all ? DITHER_OK : fail(why, DITHER_NO_MEMORY, "no memory for the candidates of a search");
}

static void close_search(struct search *search)
{
    size_t keep = search->wanted->keep, extensions = (size_t)1 << search->prefix->setting.step;
    memory_release(search->parents, (keep + 1) * sizeof *search->parents);
    memory_release(search->children, (keep + 1) * sizeof *search->children);
    memory_release(search->counts, keep * extensions * sizeof *search->counts);
    memory_release(search->extensions, extensions * sizeof *search->extensions);
    memory_release(search->parent_images, keep * sizeof *search->parent_images);
    memory_release(search->extension_images, extensions * sizeof *search->extension_images);
}

/* Bits `from` to `end` of a string, the first on top, hold `value`; all others are 0. */
static void extension_bytes(uint32_t value, uint32_t from, uint32_t end,
                            unsigned char out[PREFIX_LENGTH_LIMIT])
{
    memset(out, 0, PREFIX_LENGTH_LIMIT);
    for (uint32_t bit = from; bit < end; bit++)
        if ((value >> (end - 1 - bit) & 1) != 0)
            out[bit / 8] |= (unsigned char)(0x80 >> bit % 8);
}

/* Which candidates a report supports: their image lies in the stretch of the reported bucket. */
static void count_report(struct search *search, const unsigned char *report)
{
    const struct prefix *prefix = search->prefix;
    uint32_t from = search->from, end = search->end;
    uint32_t bucket = report_number(report + prefix->report_bytes - 4), extensions = 1u << (end - from);
    uint32_t start = hash_bucket_start(bucket, prefix->buckets);
    uint32_t width = hash_bucket_start(bucket + 1, prefix->buckets) - start;
    for (size_t p = 0; p < search->parent_count; p++) {
        uint64_t image = prefix_image(search->parents[p].bytes, report + 8, (from + 23) / 24);
        search->parent_images[p] = hash_reduce(image + report_number(report + 4));
    }
    uint32_t first = from / 24, chunks = (end + 23) / 24 - first; /* all others of an extension are 0 */
    for (uint32_t e = 0; e < extensions; e++)
        search->extension_images[e] =
            prefix_image(search->extensions[e] + 3 * first, report + 8 + 4 * first, chunks);
    for (size_t p = 0; p < search->parent_count; p++)
        for (uint32_t e = 0; e < extensions; e++) {
            uint32_t sum = search->parent_images[p] + search->extension_images[e], reduced = sum - HASH_PRIME;
            uint32_t image = sum < reduced ? sum : reduced;
            search->counts[p * extensions + e] += image - start < width;
        }
}

static void visit_reports(void *visitor, const unsigned char *reports, size_t bytes)
{
    struct search *search = visitor;
    for (size_t each = search->prefix->report_bytes; bytes >= each; bytes -= each, reports += each) {
        if (!prefix_check(search->prefix, reports)) {
            search->found.refused++;
            continue;
        }
        search->found.people++;
        if (report_number(reports) != search->group)
            continue;
        count_report(search, reports);
        search->people++;
    }
}

static status count_group(struct search *search, error *why)
{
    size_t extensions = (size_t)1 << (search->end - search->from);
    memset(search->counts, 0, search->parent_count * extensions * sizeof *search->counts);
    search->people = 0;
    search->found = (struct prefix_found){0};
    for (uint32_t e = 0; e < extensions; e++)
        extension_bytes(e, search->from, search->end, search->extensions[e]);
    return search->source->replay(search->source->context, visit_reports, search, why);
}

/* Nothing follows the zero byte that ends a string. */
static bool is_string(const unsigned char *bytes, uint32_t bits)
{
    for (uint32_t i = 0; 8 * (i + 1) < bits; i++)
        if (bytes[i] == 0 && bytes[i + 1] != 0)
            return false;
    return true;
}

/* Into the list, which is kept in order, the largest count first; the last falls out when there are too many. */
static void insert(struct search *search, const struct candidate *candidate)
{
    struct candidate *list = search->children;
    size_t at = search->child_count;
    for (; at > 0 && list[at - 1].count < candidate->count; at--)
        list[at] = list[at - 1];
    list[at] = *candidate;
    if (search->child_count < search->wanted->keep)
        search->child_count++;
}

/* P(Bin(n, q) >= least), from the first term on; terms fall once they are beyond the mean. */
static double binomial_tail(double n, double q, double least)
{
    double term = exp(lgamma(n + 1) - lgamma(least + 1) - lgamma(n - least + 1) + least * log(q) +
                      (n - least) * log1p(-q));
    double sum = 0;
    for (double k = least; k <= n; k++) {
        sum += term;
        term *= (n - k) / (k + 1) * q / (1 - q);
        if (k > n * q && term < sum * 1e-16)
            break;
    }
    return sum;
}

/* The least number of supporting reports that one of `candidates` which nobody has reaches with the chance 1 - confidence at
 * most. A report of somebody else supports a candidate with probability q, whatever else he has: a binomial number. */
static double threshold_of(const struct prefix *prefix, double people, double candidates, double confidence)
{
    double low = floor(people * prefix->q), high = people + 1, allowed = (1 - confidence) / candidates;
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        *(binomial_tail(people, prefix->q, middle) <= allowed ? &high : &low) = middle;
    }
    return high;
}

static void select_children(struct search *search)
{
    const struct prefix *prefix = search->prefix;
    uint32_t extensions = 1u << (search->end - search->from);
    double people = (double)search->people, candidates = (double)search->parent_count * extensions;
    double threshold = threshold_of(prefix, people, candidates, search->wanted->confidence);
    search->child_count = 0;
    for (size_t p = 0; p < search->parent_count; p++)
        for (uint32_t e = 0; e < extensions; e++) {
            double support = search->counts[p * extensions + e];
            struct candidate child = {.count = (support - people * prefix->q) / (prefix->p - prefix->q)};
            if (support < threshold)
                continue;
            for (int i = 0; i < PREFIX_LENGTH_LIMIT; i++)
                child.bytes[i] = search->parents[p].bytes[i] | search->extensions[e][i];
            if (is_string(child.bytes, search->end))
                insert(search, &child);
        }
}

/* From the last group to everybody: a share of it, and who happened to be in it. */
static void write_hitters(const struct search *search, struct prefix_hitter *out)
{
    const struct prefix *prefix = search->prefix;
    double group = (double)search->people, people = (double)search->found.people, gap = prefix->p - prefix->q;
    double reach = normal_two_sided(search->wanted->confidence);
    for (size_t i = 0; i < search->parent_count; i++) {
        double share = search->parents[i].count / group, seen = fmin(fmax(share, 0), 1);
        double report = seen * prefix->p * (1 - prefix->p) + (1 - seen) * prefix->q * (1 - prefix->q);
        double drawn = people > 1 ? seen * (1 - seen) * (people - group) / (people - 1) : 0;
        double variance = people * people * (report / (gap * gap) + drawn) / group;
        double count = share * people, width = reach * sqrt(variance);
        memset(&out[i], 0, sizeof out[i]);
        memcpy(out[i].text, search->parents[i].bytes, PREFIX_LENGTH_LIMIT);
        out[i].estimate = (struct local_estimate){count, variance, count - width, count + width};
    }
}

static status run_search(struct search *search, error *why)
{
    search->parent_count = 1; /* the empty prefix */
    for (uint32_t group = 0; group < search->prefix->groups && search->parent_count > 0; group++) {
        search->group = group;
        search->from = search->end;
        search->end = prefix_bits(search->prefix, group);
        TRY(count_group(search, why));
        select_children(search);
        struct candidate *parents = search->parents;
        search->parents = search->children;
        search->children = parents;
        search->parent_count = search->child_count;
    }
    search->found.count = search->parent_count;
    return DITHER_OK;
}

status prefix_find(const struct prefix_source *source, const struct prefix *prefix,
                   const struct prefix_search *wanted, struct prefix_hitter *out, struct prefix_found *found,
                   error *why)
{
    assert(wanted->confidence > 0 && wanted->confidence < 1);
    if (wanted->keep < 1 || wanted->keep > PREFIX_KEEP_LIMIT)
        return fail(why, DITHER_INVALID, "1 to %d candidates are kept", PREFIX_KEEP_LIMIT);
    struct search search = {.prefix = prefix, .source = source, .wanted = wanted};
    status result = open_search(&search, why);
    if (result == DITHER_OK)
        result = run_search(&search, why);
    if (result == DITHER_OK) {
        write_hitters(&search, out);
        *found = search.found;
    }
    close_search(&search);
    return result;
}

double prefix_threshold(const struct prefix *prefix, const struct prefix_search *search, double people)
{
    double group = floor(people / prefix->groups),
           candidates = ldexp(search->keep, (int)prefix->setting.step);
    double support = threshold_of(prefix, group, candidates, search->confidence);
    return prefix->groups * (support - group * prefix->q) / (prefix->p - prefix->q);
}
