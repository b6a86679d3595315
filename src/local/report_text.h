/* report_text.h - reports as lines of text: two hexadecimal digits a byte, nothing else. */
#ifndef LOCAL_REPORT_TEXT_H
#define LOCAL_REPORT_TEXT_H

#include "base/buffer.h"

/* False, with `report` untouched or half written, unless the text is exactly `bytes` bytes in hexadecimal, lower case. */
bool report_read(const char *text, size_t length, unsigned char *report, size_t bytes);

/* With a line end. */
void report_write(struct buffer *out, const unsigned char *report, size_t bytes);

#endif
