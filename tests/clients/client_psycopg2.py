"""psycopg2 against `dither serve` with tests/clients/clients.yaml: signing in over TLS, types, parameters, cursors, errors, notices,
the catalogue. True values are computed here from how tests/support/served.sh makes the data. Ends with 1 at the first difference."""
import datetime
import decimal
import sys

import psycopg2
import psycopg2.extensions
import psycopg2.extras

PEOPLE = [{"id": i, "age": i % 90, "region": "north" if i % 3 else "south", "salary": i * 100 if i % 7 else None}
          for i in range(1, 401)]


def same(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, not {wanted!r}")


def types(cursor):
    cursor.execute("SELECT * FROM kinds ORDER BY id")
    same([(c.name, c.type_code) for c in cursor.description],
         [("id", 20), ("whole", 20), ("fraction", 701), ("price", 1700), ("word", 25), ("day", 1082), ("moment", 1114), ("truth", 16)],
         "description")
    same((cursor.description[3].precision, cursor.description[3].scale), (18, 2), "price")
    rows = cursor.fetchall()
    same(rows[0], (1, -9007199254740993, 0.1, decimal.Decimal("-12345.67"), 'Zoë\'s "word"', datetime.date(2024, 2, 29),
                   datetime.datetime(2024, 2, 29, 12, 30, 0, 500000), True), "row 1")
    same(rows[1], (2,) + (None,) * 7, "row 2")
    same(rows[2], (3, 0, 1e300, decimal.Decimal("0.05"), "", datetime.date(1999, 12, 31), datetime.datetime(1, 1, 1), False), "row 3")
    same(cursor.rowcount, 3, "rowcount")


def parameters(cursor):
    """psycopg2 writes values into the text: of every type they must come back as they are."""
    values = (42, -1.5, "o'x \\ %", datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, 2, 3), True, None)
    cursor.execute("SELECT %s::bigint, %s::float8, %s, %s, %s, %s, %s::text", values)
    same(cursor.fetchone(), values, "parameters")
    cursor.execute("SELECT count(*) FROM people WHERE age > %(age)s AND region = %(region)s", {"age": 40, "region": "south"})
    same(cursor.fetchone()[0], sum(p["age"] > 40 and p["region"] == "south" for p in PEOPLE), "count")
    cursor.execute("SELECT count(*) FROM people WHERE age IN %s", ((1, 2, 3),))
    same(cursor.fetchone()[0], sum(p["age"] in (1, 2, 3) for p in PEOPLE), "count of ages in a list")


def answers(connection, cursor):
    connection.notices.clear()
    cursor.execute("SELECT region, count(*), avg(salary) FROM people GROUP BY region ORDER BY region")
    for region, count, average in cursor.fetchall():
        those = [p["salary"] for p in PEOPLE if p["region"] == region]
        known = [s for s in those if s is not None]
        same(count, len(those), region)
        if abs(average - sum(known) / len(known)) > 1:
            sys.exit(f"average of {region}: {average}")
    if not connection.notices or "cost epsilon" not in connection.notices[0]:
        sys.exit(f"no notice of the cost: {connection.notices}")
    cursor.execute("SET dither.intervals = on")
    with connection.cursor(cursor_factory=psycopg2.extras.RealDictCursor) as dictionary:
        dictionary.execute("SELECT count(*) AS n FROM people")
        row = dictionary.fetchone()
    same(row, {"n": 400, "n_low": 400, "n_high": 400}, "intervals")
    cursor.execute("RESET dither.intervals")


def errors(connection, cursor):
    for text, code, position in (("SELECT avg(agee) FROM people", "42703", "12"), ("SELECT 1 FROM nobody", "42P01", "15"),
                                 ("SELEC 1", "42601", "1"), ("SELECT * FROM people", "0A000", None),
                                 ("INSERT INTO people VALUES (1)", "0A000", None), ("SELECT * FROM pg_nothing", "42P01", None)):
        try:
            cursor.execute(text)
            sys.exit(f"{text} was answered")
        except psycopg2.Error as error:
            same(error.pgcode, code, text)
            if position is not None:
                same(error.diag.statement_position, position, text)
        same(connection.info.transaction_status, psycopg2.extensions.TRANSACTION_STATUS_INERROR, "after an error")
        connection.rollback()
        same(connection.info.transaction_status, psycopg2.extensions.TRANSACTION_STATUS_IDLE, "after rollback")


def many_rows(connection, cursor):
    cursor.execute("SELECT n FROM numbers ORDER BY n")
    same([row[0] for row in cursor], list(range(1, 5001)), "numbers")
    with connection.cursor("on_the_server") as named:  # DECLARE, FETCH, CLOSE
        named.itersize = 700
        named.execute("SELECT n, n * 2 FROM numbers WHERE n > %s ORDER BY n", (10,))
        same(named.fetchmany(2), [(11, 22), (12, 24)], "fetchmany")
        same([row[0] for row in named], list(range(13, 5001)), "numbers of a cursor on the server")
    with connection.cursor("catalogue") as named:
        named.execute("SELECT relname FROM pg_class WHERE relnamespace = 2200 AND relkind = 'r' ORDER BY 1")
        same(named.fetchall(), [("kinds",), ("numbers",), ("people",)], "tables of a cursor on the server")
    connection.commit()


def sessions(connection, cursor):
    connection.set_session(isolation_level="SERIALIZABLE", readonly=True, autocommit=True)
    cursor.execute("SHOW transaction_isolation")
    cursor.execute("SELECT 1")
    connection.set_session(isolation_level="READ COMMITTED", readonly=False, autocommit=False)
    cursor.execute("SELECT current_user, current_database(), current_schema")
    same(cursor.fetchone(), ("alice", "clients", "public"), "who and where")
    cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = %s ORDER BY 1", ("public",))
    same(cursor.fetchall(), [("kinds",), ("numbers",), ("people",)], "tables")
    cursor.execute("SAVEPOINT a")
    cursor.execute("ROLLBACK TO SAVEPOINT a")
    cursor.execute("SELECT count(*) FROM public.people")
    same(cursor.fetchone(), (400,), "count")
    connection.commit()
    connection.set_client_encoding("UTF8")
    same(connection.info.parameter_status("DateStyle"), "ISO, MDY", "DateStyle")
    connection.reset()
    with connection.cursor() as again:
        again.execute("SET dither.confidence = 0.8; SHOW dither.confidence")
        same(again.fetchone(), ("0.8",), "confidence")
    connection.rollback()


def main():
    connection = psycopg2.connect("")
    same(connection.info.ssl_in_use, True, "TLS")
    with connection.cursor() as cursor:
        types(cursor)
        parameters(cursor)
        answers(connection, cursor)
        many_rows(connection, cursor)
        errors(connection, cursor)
        sessions(connection, cursor)
    connection.close()
    print(f"psycopg2 {psycopg2.__version__}")


main()
