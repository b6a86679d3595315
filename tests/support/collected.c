#include "tests/support/collected.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void collected_declare(struct collected *fixture, const char *text)
{
    char path[100];
    error why;
    snprintf(path, sizeof path, "%s/taste.yaml", fixture->folder);
    if (survey_parse(text, strlen(text), path, &fixture->arena, &fixture->survey, &why) != DITHER_OK)
        fail_msg("%s", why.message);
}

void collected_change(struct collected *fixture, const char *head)
{
    char text[1000];
    snprintf(text, sizeof text,
             "survey: taste\n%squestions:\n"
             "  colour: {values: [red, green, blue, grey], mechanism: grr, epsilon: 1}\n"
             "  hobby: {domain: 11, mechanism: sue, epsilon: 1}\n",
             head);
    collected_declare(fixture, text);
}

void collected_init(struct collected *fixture, const char *head)
{
    memcpy(fixture->folder, "/tmp/dither-collect-XXXXXX", 27);
    assert_non_null(mkdtemp(fixture->folder));
    arena_init(&fixture->arena, (size_t)64 << 20);
    collected_change(fixture, head);
}

void collected_free(struct collected *fixture)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", fixture->folder);
    assert_int_equal(system(command), 0);
    arena_free(&fixture->arena);
}

size_t collected_report(const struct collected *fixture, int32_t period, uint64_t id, uint32_t value,
                        unsigned char report[COLLECTED_REPORT])
{
    const struct report_head head = {fixture->survey->questions[0].key, period, id};
    report_head_write(&head, report);
    for (int i = 0; i < 4; i++)
        report[REPORT_HEAD + i] = (unsigned char)(value >> 8 * i);
    return COLLECTED_REPORT;
}

void collected_add(struct collector *collector, const struct collected *fixture, int32_t period, uint64_t id,
                   uint32_t value, struct collect_counts *counts)
{
    unsigned char report[COLLECTED_REPORT];
    size_t size = collected_report(fixture, period, id, value, report);
    error why;
    while (!collect_add(collector, report, size, counts))
        assert_int_equal(collect_commit(collector, COLLECTED_NOON, &why), DITHER_OK);
}

uint64_t collected_people(const struct collected *fixture, int32_t period, uint64_t cells[4])
{
    struct collect_view *view = NULL;
    struct local_tally tally;
    error why;
    assert_int_equal(question_tally(&fixture->survey->questions[0], &tally, &why), DITHER_OK);
    if (collect_view_open(fixture->survey, &view, &why) != DITHER_OK ||
        collect_view_tally(view, &fixture->survey->questions[0], period, &tally, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    uint64_t people = tally.people, sum = 0;
    for (int i = 0; i < 4; i++)
        sum += cells[i] = tally.cells[i];
    assert_int_equal(sum, people);
    collect_view_close(view);
    local_tally_free(&tally);
    return people;
}
