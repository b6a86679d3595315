#include "local/survey_report.h"

static void put(unsigned char *bytes, uint64_t number, int count)
{
    for (int i = 0; i < count; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
}

static uint64_t get(const unsigned char *bytes, int count)
{
    uint64_t number = 0;
    for (int i = 0; i < count; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

void report_head_write(const struct report_head *head, unsigned char bytes[REPORT_HEAD])
{
    bytes[0] = REPORT_FORM;
    put(bytes + 1, head->key, 8);
    put(bytes + 9, (uint32_t)head->period, 4);
    put(bytes + 13, head->id, 8);
}

struct report_head report_head_read(const unsigned char bytes[REPORT_HEAD])
{
    return (struct report_head){get(bytes + 1, 8), (int32_t)(uint32_t)get(bytes + 9, 4), get(bytes + 13, 8)};
}
