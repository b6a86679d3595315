#include "sql/postgres_scan.h"

static void print_cast(struct buffer *buffer, const char *name, const char *type)
{
    buffer_format(buffer, "CAST(%s AS %s)", name, type);
}

static void print_between(struct buffer *buffer, const char *name, const char *type, const char *first,
                          const char *last)
{
    buffer_text(buffer, "(CASE WHEN ");
    print_cast(buffer, name, type);
    buffer_format(buffer, " >= %s '%s' AND ", type, first);
    print_cast(buffer, name, type);
    buffer_format(buffer, " <= %s '%s' THEN ", type, last);
    print_cast(buffer, name, type);
    buffer_text(buffer, " END)");
}

/* NaN equals itself, and nothing is greater. */
static void print_decimal(struct buffer *buffer, const char *name, int scale)
{
    buffer_format(
        buffer,
        "(CASE WHEN CAST(%s AS NUMERIC(18, %d)) < CAST('NaN' AS NUMERIC) THEN CAST(%s AS NUMERIC(18, "
        "%d)) END)",
        name, scale, name, scale);
}

void postgres_print_scanned(struct sql_printer *printer, const char *name,
                            const struct policy_column *declared)
{
    struct buffer *buffer = printer->buffer;
    switch (declared->type) {
    case POLICY_INTEGER:
        print_cast(buffer, name, "BIGINT");
        return;
    case POLICY_REAL:
        print_cast(buffer, name, "DOUBLE PRECISION");
        return;
    case POLICY_DECIMAL:
        print_decimal(buffer, name, declared->scale);
        return;
    case POLICY_TEXT:
        print_cast(buffer, name, "TEXT");
        return;
    case POLICY_BOOLEAN:
        print_cast(buffer, name, "BOOLEAN");
        return;
    case POLICY_DATE:
        print_between(buffer, name, "DATE", "0001-01-01", "9999-12-31");
        return;
    case POLICY_TIMESTAMP:
        print_between(buffer, name, "TIMESTAMP", "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999");
        return;
    }
}
