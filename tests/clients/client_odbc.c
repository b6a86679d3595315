/* psqlODBC against `dither serve` with tests/clients/clients.yaml, by unixODBC's manager: catalogue functions, types, bound columns and
 * parameters, prepared statements, rows in portions, diagnostics, cursors on the server. True values are computed here from how
 * tests/support/served.sh makes the data. Ends with 1 at the first difference. `client_odbc "DSN=...;..."`. */
#include <sql.h>
#include <sqlext.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SQLHDBC connection;

static void stop(const char *what, const char *found, const char *wanted)
{
    fprintf(stderr, "%s: %s, not %s\n", what, found, wanted);
    exit(1);
}

static void same(const char *found, const char *wanted, const char *what)
{
    if (strcmp(found, wanted) != 0)
        stop(what, found, wanted);
}

static void same_number(long long found, long long wanted, const char *what)
{
    char texts[2][40];
    snprintf(texts[0], sizeof texts[0], "%lld", found);
    snprintf(texts[1], sizeof texts[1], "%lld", wanted);
    same(texts[0], texts[1], what);
}

static const char *diagnosis(SQLSMALLINT kind, SQLHANDLE handle, char state[6])
{
    static char message[1000];
    SQLINTEGER native = 0;
    SQLSMALLINT length = 0;
    strcpy(state, "00000");
    message[0] = '\0';
    (void)SQLGetDiagRec(kind, handle, 1, (SQLCHAR *)state, &native, (SQLCHAR *)message, sizeof message,
                        &length);
    return message;
}

static void check(SQLRETURN result, SQLHSTMT statement, const char *what)
{
    char state[6];
    if (!SQL_SUCCEEDED(result))
        stop(what, diagnosis(SQL_HANDLE_STMT, statement, state), "a success");
}

static SQLHSTMT new_statement(void)
{
    SQLHSTMT statement = NULL;
    if (!SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_STMT, connection, &statement)))
        stop("a statement", "none", "one");
    return statement;
}

static SQLCHAR *text_of(const char *text)
{
    static char copies[4][2000];
    static size_t next;
    char *copy = copies[next++ % 4];
    snprintf(copy, sizeof copies[0], "%s", text);
    return (SQLCHAR *)copy;
}

static void run(SQLHSTMT statement, const char *text)
{
    check(SQLExecDirect(statement, text_of(text), SQL_NTS), statement, text);
}

/* The next row's cell as text; "NULL" for NULL. */
static const char *cell(SQLHSTMT statement, SQLUSMALLINT column)
{
    static char text[500];
    SQLLEN length = 0;
    check(SQLGetData(statement, column, SQL_C_CHAR, text, sizeof text, &length), statement, "SQLGetData");
    return length == SQL_NULL_DATA ? "NULL" : text;
}

static bool fetch(SQLHSTMT statement)
{
    SQLRETURN result = SQLFetch(statement);
    if (result != SQL_NO_DATA)
        check(result, statement, "SQLFetch");
    return result != SQL_NO_DATA;
}

/* One column of all rows, with blanks between. */
static const char *column_of(SQLHSTMT statement, SQLUSMALLINT column)
{
    static char list[2000];
    list[0] = '\0';
    while (fetch(statement))
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", list[0] != '\0' ? " " : "",
                 cell(statement, column));
    SQLFreeHandle(SQL_HANDLE_STMT, statement);
    return list;
}

static void catalogue(void)
{
    SQLHSTMT statement = new_statement();
    check(SQLTables(statement, NULL, 0, text_of("public"), SQL_NTS, text_of("%"), SQL_NTS, text_of("TABLE"),
                    SQL_NTS),
          statement, "SQLTables");
    same(column_of(statement, 3), "kinds numbers people", "SQLTables");
    statement = new_statement();
    check(SQLColumns(statement, NULL, 0, text_of("public"), SQL_NTS, text_of("kinds"), SQL_NTS, NULL, 0),
          statement, "SQLColumns");
    same(column_of(statement, 4), "id whole fraction price word day moment truth", "SQLColumns");
    statement = new_statement();
    check(SQLColumns(statement, NULL, 0, NULL, 0, text_of("kinds"), SQL_NTS, NULL, 0), statement,
          "SQLColumns");
    same(column_of(statement, 6), "int8 int8 float8 numeric text date timestamp bool", "names of types");
    statement = new_statement();
    check(SQLPrimaryKeys(statement, NULL, 0, text_of("public"), SQL_NTS, text_of("people"), SQL_NTS),
          statement, "SQLPrimaryKeys");
    same(column_of(statement, 4), "id", "SQLPrimaryKeys");
    statement = new_statement();
    check(SQLStatistics(statement, NULL, 0, text_of("public"), SQL_NTS, text_of("people"), SQL_NTS,
                        SQL_INDEX_ALL, SQL_QUICK),
          statement, "SQLStatistics");
    (void)column_of(statement, 6);
    statement = new_statement();
    check(SQLForeignKeys(statement, NULL, 0, NULL, 0, NULL, 0, NULL, 0, text_of("public"), SQL_NTS,
                         text_of("people"), SQL_NTS),
          statement, "SQLForeignKeys");
    (void)column_of(statement, 3);
    statement = new_statement();
    check(SQLSpecialColumns(statement, SQL_BEST_ROWID, NULL, 0, text_of("public"), SQL_NTS, text_of("people"),
                            SQL_NTS, SQL_SCOPE_SESSION, SQL_NULLABLE),
          statement, "SQLSpecialColumns");
    (void)column_of(statement, 2);
    statement = new_statement();
    check(SQLGetTypeInfo(statement, SQL_ALL_TYPES), statement, "SQLGetTypeInfo");
    (void)column_of(statement, 1);
}

static void types(void)
{
    static const SQLSMALLINT wanted[] = {SQL_BIGINT,       SQL_BIGINT,    SQL_FLOAT,          SQL_NUMERIC,
                                         SQL_WLONGVARCHAR, SQL_TYPE_DATE, SQL_TYPE_TIMESTAMP, SQL_BIT};
    SQLHSTMT statement = new_statement();
    SQLBIGINT whole = 0;
    double fraction = 0;
    SQL_DATE_STRUCT day = {0};
    SQL_TIMESTAMP_STRUCT moment = {0};
    SQLLEN length = 0;
    run(statement, "SELECT * FROM kinds ORDER BY id");
    for (SQLUSMALLINT i = 0; i < 8; i++) {
        SQLCHAR name[100];
        SQLSMALLINT type = 0, digits = 0, nullable = 0, used = 0;
        SQLULEN size = 0;
        check(SQLDescribeCol(statement, i + 1, name, sizeof name, &used, &type, &size, &digits, &nullable),
              statement, "SQLDescribeCol");
        if (i != 4) /* how long texts are called is a setting of the driver */
            same_number(type, wanted[i], (const char *)name);
        if (i == 3)
            same_number((long long)size * 100 + digits, 1802, "size and digits of a decimal");
    }
    fetch(statement);
    check(SQLGetData(statement, 2, SQL_C_SBIGINT, &whole, sizeof whole, &length), statement, "whole");
    same_number(whole, -9007199254740993LL, "whole");
    check(SQLGetData(statement, 3, SQL_C_DOUBLE, &fraction, sizeof fraction, &length), statement, "fraction");
    same(fraction == 0.1 ? "0.1" : "another", "0.1", "fraction");
    same(cell(statement, 4), "-12345.67", "price");
    same(cell(statement, 5), "Zo\xc3\xab's \"word\"", "word");
    check(SQLGetData(statement, 6, SQL_C_TYPE_DATE, &day, sizeof day, &length), statement, "day");
    same_number(day.year * 10000 + day.month * 100 + day.day, 20240229, "day");
    check(SQLGetData(statement, 7, SQL_C_TYPE_TIMESTAMP, &moment, sizeof moment, &length), statement,
          "moment");
    same_number(moment.hour * 100 + moment.minute, 1230, "moment");
    same_number(moment.fraction, 500000000, "its fraction");
    same(cell(statement, 8), "1", "truth");
    fetch(statement);
    for (SQLUSMALLINT i = 2; i <= 8; i++)
        same(cell(statement, i), "NULL", "a NULL");
    SQLFreeHandle(SQL_HANDLE_STMT, statement);
}

static void parameters(void)
{
    SQLHSTMT statement = new_statement();
    SQLINTEGER age = 40;
    SQLLEN lengths[3] = {0, SQL_NTS, 0};
    SQL_DATE_STRUCT born = {1950, 1, 1};
    long long wanted = 0;
    for (int i = 1; i <= 400; i++)
        wanted += i % 90 > 40 && i % 3 == 0 && i % 100 >= 50;
    check(SQLPrepare(statement,
                     text_of("SELECT count(*) FROM people WHERE age > ? AND region = ? AND born >= ?"),
                     SQL_NTS),
          statement, "SQLPrepare");
    check(
        SQLBindParameter(statement, 1, SQL_PARAM_INPUT, SQL_C_SLONG, SQL_INTEGER, 0, 0, &age, 0, &lengths[0]),
        statement, "age");
    check(SQLBindParameter(statement, 2, SQL_PARAM_INPUT, SQL_C_CHAR, SQL_VARCHAR, 20, 0, text_of("south"),
                           20, &lengths[1]),
          statement, "region");
    check(SQLBindParameter(statement, 3, SQL_PARAM_INPUT, SQL_C_TYPE_DATE, SQL_TYPE_DATE, 10, 0, &born, 0,
                           &lengths[2]),
          statement, "born");
    for (int i = 0; i < 3; i++) {
        check(SQLExecute(statement), statement, "SQLExecute");
        fetch(statement);
        same_number(atoll(cell(statement, 1)), wanted, "count with parameters");
        check(SQLCloseCursor(statement), statement, "SQLCloseCursor");
    }
    SQLFreeHandle(SQL_HANDLE_STMT, statement);
}

static void many_rows(void)
{
    enum { AT_ONCE = 256 };
    static SQLBIGINT numbers[AT_ONCE];
    static SQLLEN lengths[AT_ONCE];
    SQLHSTMT statement = new_statement();
    SQLULEN got = 0;
    long long next = 1;
    SQLSetStmtAttr(statement, SQL_ATTR_ROW_ARRAY_SIZE, (SQLPOINTER)(size_t)AT_ONCE, 0);
    SQLSetStmtAttr(statement, SQL_ATTR_ROWS_FETCHED_PTR, &got, 0);
    run(statement, "SELECT n FROM numbers ORDER BY n");
    check(SQLBindCol(statement, 1, SQL_C_SBIGINT, numbers, sizeof numbers[0], lengths), statement,
          "SQLBindCol");
    while (fetch(statement))
        for (SQLULEN i = 0; i < got; i++)
            same_number(numbers[i], next++, "number");
    same_number(next, 5001, "rows");
    SQLFreeHandle(SQL_HANDLE_STMT, statement);
}

static void refuses(const char *text, const char *wanted)
{
    SQLHSTMT statement = new_statement();
    char state[6];
    if (SQL_SUCCEEDED(SQLExecDirect(statement, text_of(text), SQL_NTS)))
        stop(text, "an answer", wanted);
    const char *message = diagnosis(SQL_HANDLE_STMT, statement, state);
    if (strcmp(state, wanted) != 0)
        stop(text, message, wanted);
    SQLFreeHandle(SQL_HANDLE_STMT, statement);
}

static void answers(void)
{
    char state[6];
    SQLHSTMT statement = new_statement();
    run(statement, "SELECT count(*) AS n FROM public.people WHERE age < 45");
    const char *notice = diagnosis(SQL_HANDLE_STMT, statement, state);
    if (strstr(notice, "NOTICE: cost ") == NULL)
        stop("a notice of the cost", notice, "NOTICE: cost ...");
    SQLFreeHandle(SQL_HANDLE_STMT, statement);
    SQLSetConnectAttr(connection, SQL_ATTR_AUTOCOMMIT, (SQLPOINTER)SQL_AUTOCOMMIT_OFF, 0);
    statement = new_statement();
    run(statement, "SELECT count(*) FROM people");
    same(column_of(statement, 1), "400", "count");
    if (!SQL_SUCCEEDED(SQLEndTran(SQL_HANDLE_DBC, connection, SQL_COMMIT)))
        stop("SQLEndTran", diagnosis(SQL_HANDLE_DBC, connection, state), "a success");
    SQLSetConnectAttr(connection, SQL_ATTR_AUTOCOMMIT, (SQLPOINTER)SQL_AUTOCOMMIT_ON, 0);
}

int main(int argc, char **argv)
{
    SQLHENV environment = NULL;
    char state[6];
    SQLCHAR name[100] = "", version[100] = "";
    SQLSMALLINT length = 0;
    if (argc != 2)
        return 2;
    SQLAllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &environment);
    SQLSetEnvAttr(environment, SQL_ATTR_ODBC_VERSION, (SQLPOINTER)SQL_OV_ODBC3, 0);
    SQLAllocHandle(SQL_HANDLE_DBC, environment, &connection);
    if (!SQL_SUCCEEDED(SQLDriverConnect(connection, NULL, text_of(argv[1]), SQL_NTS, NULL, 0, NULL,
                                        SQL_DRIVER_NOPROMPT)))
        stop("connecting", diagnosis(SQL_HANDLE_DBC, connection, state), "a success");
    SQLGetInfo(connection, SQL_DBMS_NAME, name, sizeof name, &length);
    same((const char *)name, "PostgreSQL", "name of the system");
    catalogue();
    types();
    parameters();
    many_rows();
    answers();
    refuses("SELECT avg(agee) FROM people", "42703");
    refuses("SELECT 1 FROM nobody", "42P01");
    refuses("SELECT * FROM people", "0A000");
    refuses("SELEC", "42601");
    SQLGetInfo(connection, SQL_DRIVER_VER, version, sizeof version, &length);
    printf("psqlODBC %s\n", (const char *)version);
    SQLDisconnect(connection);
    SQLFreeHandle(SQL_HANDLE_DBC, connection);
    SQLFreeHandle(SQL_HANDLE_ENV, environment);
    return 0;
}
