/* survey_report.h - a report on its way: what the mechanism made, behind 21 bytes that say what it is.
 *
 *     byte 0        1, the form
 *     bytes 1-8     the question's key
 *     bytes 9-12    the period, signed
 *     bytes 13-20   the retry id
 *     bytes 21-     the mechanism's report
 *
 * Numbers are little-endian. The retry id is drawn at random for this report and nothing else: it says no more than that two
 * copies of one report are one. Whoever does not know whether a report arrived sends the same bytes again; making a new report
 * would cost epsilon again. As text a report is a line of hexadecimal digits. */
#ifndef LOCAL_SURVEY_REPORT_H
#define LOCAL_SURVEY_REPORT_H

#include <stddef.h>
#include <stdint.h>

enum { REPORT_FORM = 1, REPORT_HEAD = 21 };

struct report_head {
    uint64_t key;
    int32_t period;
    uint64_t id;
};

void report_head_write(const struct report_head *head, unsigned char bytes[REPORT_HEAD]);

/* What the bytes say, whatever their form, which is bytes[0]. */
struct report_head report_head_read(const unsigned char bytes[REPORT_HEAD]);

#endif
