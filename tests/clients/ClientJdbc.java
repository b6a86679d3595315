// PostgreSQL's JDBC driver against `dither serve` with tests/clients/clients.yaml: signing in over TLS, metadata, types in text and
// binary, prepared statements, fetch size, errors, warnings, cancelling. True values are computed here from how tests/support/served.sh
// makes the data. Ends with 1 at the first difference. `java -cp postgresql.jar ClientJdbc.java URL`.
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

public class ClientJdbc {
    static void same(Object found, Object wanted, String what) {
        if (!Objects.equals(found, wanted))
            throw new AssertionError(what + ": " + found + ", not " + wanted);
    }

    static List<String> column(ResultSet rows, String name) throws SQLException {
        List<String> list = new ArrayList<>();
        while (rows.next())
            list.add(rows.getString(name));
        rows.close();
        return list;
    }

    static void metadata(Connection connection) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        same(about.getDatabaseProductName(), "PostgreSQL", "product");
        same(about.getUserName(), "alice", "user");
        same(connection.getCatalog(), "clients", "catalogue");
        same(connection.getSchema(), "public", "schema");
        same(column(about.getTables(null, "public", "%", new String[] {"TABLE"}), "TABLE_NAME"),
            List.of("kinds", "numbers", "people"), "getTables");
        ResultSet tables = about.getTables(null, null, "people", null);
        tables.next();
        same(tables.getString("REMARKS"), "Made up, one row each", "the remark of a table");
        tables.close();
        same(column(about.getColumns(null, "public", "kinds", "%"), "COLUMN_NAME"),
            List.of("id", "whole", "fraction", "price", "word", "day", "moment", "truth"), "getColumns");
        ResultSet columns = about.getColumns(null, null, "kinds", "price");
        columns.next();
        same(columns.getInt("DATA_TYPE"), Types.NUMERIC, "type");
        same(columns.getString("TYPE_NAME"), "numeric", "name of the type");
        same(columns.getInt("COLUMN_SIZE"), 18, "size");
        same(columns.getInt("DECIMAL_DIGITS"), 2, "digits");
        columns.close();
        columns = about.getColumns(null, null, "people", "age");
        columns.next();
        same(columns.getString("IS_NULLABLE"), "NO", "nullable");
        columns.close();
        same(column(about.getPrimaryKeys(null, "public", "people"), "COLUMN_NAME"), List.of("id"), "getPrimaryKeys");
        same(column(about.getSchemas(), "TABLE_SCHEM").contains("public"), true, "getSchemas");
        same(column(about.getIndexInfo(null, "public", "people", false, true), "INDEX_NAME"), List.of("people_pkey"), "getIndexInfo");
        about.getImportedKeys(null, "public", "people").close();
        about.getExportedKeys(null, "public", "people").close();
        about.getTypeInfo().close();
        about.getTableTypes().close();
        about.getProcedures(null, null, "%").close();
        about.getFunctions(null, null, "%").close();
        about.getBestRowIdentifier(null, "public", "people", DatabaseMetaData.bestRowSession, false).close();
        about.getTablePrivileges(null, "public", "people").close();
        about.getColumnPrivileges(null, "public", "people", "%").close();
        about.getClientInfoProperties().close();
    }

    static void checkKinds(ResultSet rows) throws SQLException {
        ResultSetMetaData about = rows.getMetaData();
        int[] types = {Types.BIGINT, Types.BIGINT, Types.DOUBLE, Types.NUMERIC, Types.VARCHAR, Types.DATE, Types.TIMESTAMP, Types.BIT};
        for (int i = 0; i < types.length; i++)
            same(about.getColumnType(i + 1), types[i], "type of column " + about.getColumnName(i + 1));
        rows.next();
        same(rows.getLong("whole"), -9007199254740993L, "whole");
        same(rows.getDouble("fraction"), 0.1, "fraction");
        same(rows.getBigDecimal("price"), new BigDecimal("-12345.67"), "price");
        same(rows.getString("word"), "Zo\u00eb's \"word\"", "word");
        same(rows.getObject("day", LocalDate.class), LocalDate.of(2024, 2, 29), "day");
        same(rows.getObject("moment", LocalDateTime.class), LocalDateTime.of(2024, 2, 29, 12, 30, 0, 500000000), "moment");
        same(rows.getBoolean("truth"), true, "truth");
        rows.next();
        for (int i = 2; i <= 8; i++)
            same(rows.getObject(i), null, "NULL in column " + i);
        rows.next();
        same(rows.getDouble("fraction"), 1e300, "fraction");
        same(rows.getBigDecimal("price"), new BigDecimal("0.05"), "price");
        same(rows.getString("word"), "", "word");
        same(rows.getDate("day"), Date.valueOf("1999-12-31"), "day");
        same(rows.next(), false, "a fourth row");
        rows.close();
    }

    /* After five runs the driver prepares the statement on the server, and asks for binary results. */
    static void types(Connection connection) throws SQLException {
        checkKinds(connection.createStatement().executeQuery("SELECT * FROM kinds ORDER BY id"));
        try (PreparedStatement prepared = connection.prepareStatement("SELECT * FROM public.kinds WHERE id <= ? ORDER BY id")) {
            for (int i = 0; i < 7; i++) {
                prepared.setInt(1, 3);
                checkKinds(prepared.executeQuery());
            }
        }
    }

    static void parameters(Connection connection) throws SQLException {
        String text = "SELECT count(*) FROM people WHERE age > ? AND region = ? AND born >= ? AND (salary > ? OR ? IS NULL)";
        long wanted = 0;
        for (int i = 1; i <= 400; i++)
            if (i % 90 > 40 && i % 3 == 0 && i % 100 >= 50 && i % 7 != 0 && i * 100 > 1000.5)
                wanted++;
        try (PreparedStatement prepared = connection.prepareStatement(text)) {
            same(prepared.getParameterMetaData().getParameterCount(), 5, "parameters");
            for (int i = 0; i < 7; i++) {
                prepared.setInt(1, 40);
                prepared.setString(2, "south");
                prepared.setDate(3, Date.valueOf("1950-01-01"));
                prepared.setDouble(4, 1000.5);
                prepared.setString(5, "not");
                ResultSet rows = prepared.executeQuery();
                rows.next();
                same(rows.getLong(1), wanted, "count with parameters");
            }
        }
        try (PreparedStatement prepared = connection.prepareStatement(
                 "SELECT id FROM kinds WHERE truth = ? AND price = ? AND moment = ? AND day = ? AND whole = ?")) {
            prepared.setBoolean(1, true);
            prepared.setBigDecimal(2, new BigDecimal("-12345.67"));
            prepared.setTimestamp(3, Timestamp.valueOf("2024-02-29 12:30:00.5"));
            prepared.setObject(4, LocalDate.of(2024, 2, 29));
            prepared.setLong(5, -9007199254740993L);
            same(column(prepared.executeQuery(), "id"), List.of("1"), "every type as a parameter");
            prepared.setNull(1, Types.BOOLEAN);
            same(column(prepared.executeQuery(), "id"), List.of(), "NULL as a parameter");
        }
    }

    static void portions(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(300);
            ResultSet rows = statement.executeQuery("SELECT n FROM numbers ORDER BY n");
            for (int i = 1; i <= 5000; i++) {
                same(rows.next(), true, "row " + i);
                same(rows.getInt(1), i, "number");
            }
            same(rows.next(), false, "one more row");
        }
        connection.commit();
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(7);
            same(column(statement.executeQuery("SELECT n FROM numbers ORDER BY n"), "n").size(), 7, "setMaxRows");
        }
    }

    static void errors(Connection connection) throws SQLException {
        String[][] cases = {{"SELECT avg(agee) FROM people", "42703"}, {"SELECT 1 FROM nobody", "42P01"}, {"SELEC", "42601"},
            {"SELECT * FROM people", "0A000"}, {"DELETE FROM people", "0A000"}, {"SELECT * FROM pg_nothing", "42P01"},
            {"SET dither.epsilon = -1", "22023"}};
        for (String[] pair : cases)
            try (Statement statement = connection.createStatement()) {
                statement.execute(pair[0]);
                throw new AssertionError(pair[0] + " was answered");
            } catch (SQLException error) {
                same(error.getSQLState(), pair[1], pair[0]);
            }
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT nothing FROM people");
        } catch (SQLException error) {
            same(error.getSQLState(), "42703", "in a transaction");
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
            throw new AssertionError("the transaction goes on");
        } catch (SQLException error) {
            same(error.getSQLState(), "25P02", "after it");
        }
        connection.rollback();
        connection.setAutoCommit(true);
    }

    static void answers(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("SELECT count(*) AS n FROM people WHERE age < 45");
            rows.next();
            SQLWarning warning = statement.getWarnings();
            same(warning != null && warning.getMessage().startsWith("cost epsilon"), true, "a notice of the cost");
            statement.execute("SET dither.intervals = on");
            rows = statement.executeQuery("SELECT count(*) AS n FROM people");
            rows.next();
            same(List.of(rows.getLong("n"), rows.getLong("n_low"), rows.getLong("n_high")), List.of(400L, 400L, 400L), "intervals");
            statement.execute("RESET dither.intervals");
        }
        connection.setReadOnly(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        same(connection.isValid(5), true, "isValid");
        connection.setReadOnly(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setSchema("public");
        connection.setClientInfo("ApplicationName", "test");
        connection.setNetworkTimeout(Runnable::run, 60000);
    }

    public static void main(String[] arguments) throws Exception {
        try (Connection connection = DriverManager.getConnection(arguments[0], new Properties())) {
            metadata(connection);
            types(connection);
            parameters(connection);
            portions(connection);
            errors(connection);
            answers(connection);
            System.out.println(connection.getMetaData().getDriverName() + " " + connection.getMetaData().getDriverVersion());
        }
    }
}
