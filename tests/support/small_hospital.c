#include "tests/support/small_hospital.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

static const char tables[] = "tables:\n"
                             "  patients:\n"
                             "    source: patients.csv\n"
                             "    unit: patient_id\n"
                             "    rows_per_unit: 1\n"
                             "    columns:\n"
                             "      patient_id: {type: integer}\n"
                             "      age: {type: integer, range: [0, 120]}\n"
                             "      region: {type: text, values: [north, south, east, west], null: false}\n"
                             "      salary: {type: real, range: [0, 100000]}\n"
                             "      balance: {type: decimal, scale: 2, range: [-500.00, 500.00]}\n"
                             "      insured: {type: boolean, null: false}\n"
                             "      disease: {type: text}\n"
                             "      born: {type: date, range: [1930-01-01, 2010-12-31]}\n"
                             "  visits:\n"
                             "    source: visits.csv\n"
                             "    join: {patient_id: patients.patient_id}\n"
                             "    max_rows: 8\n"
                             "    max_groups: 8\n"
                             "    columns:\n"
                             "      visit_id: {type: integer}\n"
                             "      patient_id: {type: integer}\n"
                             "      clinic_id: {type: integer, range: [1, 5], null: false}\n"
                             "      day: {type: date, range: [2024-01-01, 2024-12-31], null: false}\n"
                             "      seen: {type: timestamp, range: [2024-01-01, 2024-12-31 23:59:59]}\n"
                             "      cost: {type: real, range: [0, 5000]}\n"
                             "      tip: {type: real}\n"
                             "      kind: {type: text}\n"
                             "  clinics:\n"
                             "    source: clinics.csv\n"
                             "    public: true\n"
                             "    columns:\n"
                             "      clinic_id: {type: integer, null: false}\n"
                             "      name: {type: text, null: false}\n"
                             "      city: {type: text, null: false}\n"
                             "      beds: {type: integer}\n"
                             "  customers:\n"
                             "    source: customers.csv\n"
                             "    unit: customer_id\n"
                             "    rows_per_unit: 1\n"
                             "    columns:\n"
                             "      customer_id: {type: text}\n"
                             "      level: {type: integer, values: [1, 2, 3], null: false}\n"
                             "  orders:\n"
                             "    source: orders.csv\n"
                             "    join: {customer_id: customers.customer_id}\n"
                             "    max_rows: 8\n"
                             "    max_groups: 8\n"
                             "    columns:\n"
                             "      order_id: {type: integer}\n"
                             "      customer_id: {type: text}\n"
                             "      channel: {type: text, values: [web, shop], null: false}\n"
                             "  items:\n"
                             "    source: items.csv\n"
                             "    join: {order_id: orders.order_id}\n"
                             "    max_rows: 24\n"
                             "    max_groups: 8\n"
                             "    columns:\n"
                             "      order_id: {type: integer}\n"
                             "      product: {type: text}\n"
                             "      price: {type: integer, range: [-100, 100]}\n"
                             "  readings:\n"
                             "    source: readings.csv\n"
                             "    unit: row\n"
                             "    columns:\n"
                             "      sensor: {type: integer, range: [1, 4], null: false}\n"
                             "      celsius: {type: real, range: [-50, 50]}\n";

static const char huge_budget[] = "  epsilon: 1e13\n"
                                  "  delta: 0.5\n"
                                  "  per_question: 1e10\n"
                                  "  delta_per_question: 1e-6\n";

static FILE *open_file(const struct small_hospital *hospital, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", hospital->folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

/* On a server there are no files to name. */
static void write_tables(FILE *file, bool sources)
{
    for (const char *line = tables; *line != '\0';) {
        int length = (int)strcspn(line, "\n") + 1;
        if (sources || strncmp(line, "    source:", 11) != 0)
            fprintf(file, "%.*s", length, line);
        line += length;
    }
}

static void write_policy(const struct small_hospital *hospital, const struct small_hospital_options *options)
{
    FILE *file = open_file(hospital, "hospital.yaml");
    fprintf(file, "dataset: small hospital\n");
    if (options->postgres != NULL)
        fprintf(file, "engine: {postgres: \"%s\"}\n", options->postgres);
    write_tables(file, options->postgres == NULL);
    fprintf(file, "budget:\n%s", options->budget != NULL ? options->budget : huge_budget);
    if (options->analysts != NULL)
        fprintf(file, "analysts:\n%s", options->analysts);
    fclose(file);
}

/* Numbers that look mixed and are the same everywhere. */
static unsigned mixed(unsigned a, unsigned b)
{
    unsigned x = a * 2654435761u + b * 40503u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return x;
}

static void write_patients(const struct small_hospital *hospital,
                           const struct small_hospital_options *options)
{
    static const char *const regions[] = {"north", "south", "east", "west"};
    static const char *const diseases[] = {"flu", "asthma", "gout", ""};
    FILE *file = open_file(hospital, "patients.csv");
    fprintf(file, "patient_id,age,region,salary,balance,insured,disease,born\n");
    for (int id = 1; id <= 40; id++) {
        unsigned i = (unsigned)id;
        if (id == options->without_patient)
            continue;
        fprintf(file, "%d,", id);
        if (id % 13 != 0)
            fprintf(file, "%u", 20 + mixed(i, 1) % 60);
        fprintf(file, ",%s,%u.5,%d.%02u,%s,%s,%u-%02u-%02u\n", regions[i % 4], 1000 + mixed(i, 2) % 90000,
                (int)(mixed(i, 3) % 400), mixed(i, 4) % 100, i % 3 == 0 ? "false" : "true", diseases[i % 4],
                1940 + mixed(i, 5) % 60, 1 + mixed(i, 6) % 12, 1 + mixed(i, 7) % 28);
    }
    if (options->more_patients != NULL)
        fputs(options->more_patients, file);
    fclose(file);
}

static void write_visits(const struct small_hospital *hospital, const struct small_hospital_options *options)
{
    static const char *const kinds[] = {"check", "surgery", "emergency"};
    FILE *file = open_file(hospital, "visits.csv");
    fprintf(file, "visit_id,patient_id,clinic_id,day,seen,cost,tip,kind\n");
    unsigned visit = 0;
    for (unsigned id = 1; id <= 40; id++) {
        for (unsigned i = 0; i < id % 6; i++) {
            visit++;
            if ((int)id == options->without_patient)
                continue;
            unsigned month = 1 + mixed(visit, 1) % 12, day = 1 + mixed(visit, 2) % 28;
            fprintf(file, "%u,%u,%u,2024-%02u-%02u,2024-%02u-%02u %02u:%02u:00,", visit, id,
                    1 + mixed(visit, 3) % 5, month, day, month, day, 8 + mixed(visit, 4) % 10,
                    mixed(visit, 5) % 60);
            if (visit % 17 != 0)
                fprintf(file, "%u.%s", mixed(visit, 6) % 4000, visit % 2 == 0 ? "25" : "75");
            fprintf(file, ",%u,%s\n", mixed(visit, 7) % 10, kinds[visit % 3]);
        }
    }
    fprintf(file, "900,,1,2024-05-05,2024-05-05 10:00:00,100,1,check\n"); /* belongs to nobody */
    if (options->more_visits != NULL)
        fputs(options->more_visits, file);
    fclose(file);
}

static void write_clinics(const struct small_hospital *hospital)
{
    FILE *file = open_file(hospital, "clinics.csv");
    fprintf(file, "clinic_id,name,city,beds\n"
                  "1,Alpha,Ulm,100\n2,Beta,Ulm,50\n3,Gamma,Bonn,\n4,Delta,Bonn,80\n5,Omega,Kiel,20\n");
    fclose(file);
}

static void write_shops(const struct small_hospital *hospital, const struct small_hospital_options *options)
{
    static const char *const products[] = {"tea", "milk", "salt"};
    FILE *customers = open_file(hospital, "customers.csv"), *orders = open_file(hospital, "orders.csv");
    FILE *items = open_file(hospital, "items.csv");
    fprintf(customers, "customer_id,level\n");
    fprintf(orders, "order_id,customer_id,channel\n");
    fprintf(items, "order_id,product,price\n");
    unsigned order = 0;
    for (unsigned c = 1; c <= 20; c++) {
        fprintf(customers, "c%u,%u\n", c, 1 + c % 3);
        for (unsigned o = 0; o < 1 + c % 3; o++) {
            order++;
            fprintf(orders, "%u,c%u,%s\n", order, c, order % 2 == 0 ? "web" : "shop");
            for (unsigned i = 0; i < 1 + order % 3; i++)
                fprintf(items, "%u,%s,%d\n", order, products[(order + i) % 3],
                        (int)(mixed(order, i) % 150) - 60);
        }
    }
    fprintf(items, "9999,tea,5\n"); /* its path is broken: it belongs to nobody */
    fputs(options->more_customers != NULL ? options->more_customers : "", customers);
    fputs(options->more_orders != NULL ? options->more_orders : "", orders);
    fputs(options->more_items != NULL ? options->more_items : "", items);
    fclose(customers);
    fclose(orders);
    fclose(items);
    FILE *readings = open_file(hospital, "readings.csv");
    fprintf(readings, "sensor,celsius\n");
    for (unsigned i = 0; i < 48; i++)
        fprintf(readings, "%u,%d.5\n", 1 + i % 4, (int)(mixed(i, 9) % 80) - 40);
    fputs(options->more_readings != NULL ? options->more_readings : "", readings);
    fclose(readings);
}

void small_hospital_make(struct small_hospital *hospital, const struct small_hospital_options *options)
{
    static const struct small_hospital_options plain;
    if (options == NULL)
        options = &plain;
    snprintf(hospital->folder, sizeof hospital->folder, "/tmp/dither-hospital-XXXXXX");
    assert_non_null(mkdtemp(hospital->folder));
    snprintf(hospital->policy, sizeof hospital->policy, "%s/hospital.yaml", hospital->folder);
    write_policy(hospital, options);
    write_patients(hospital, options);
    write_visits(hospital, options);
    write_clinics(hospital);
    write_shops(hospital, options);
}

void small_hospital_remove(struct small_hospital *hospital)
{
    char command[120];
    snprintf(command, sizeof command, "rm -rf '%s'", hospital->folder);
    if (system(command) != 0)
        fail_msg("%s failed", command);
}

/* ---- The same for PostgreSQL ---- */

static void insert_file(FILE *out, const struct small_hospital *hospital, const char *table)
{
    char path[200], line[1000];
    snprintf(path, sizeof path, "%s/%s.csv", hospital->folder, table);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        fprintf(out, "INSERT INTO %s VALUES (", table);
        const char *before = "";
        char *rest = line, *cell = NULL;
        while ((cell = strsep(&rest, ",")) != NULL) {
            fprintf(out, cell[0] == '\0' ? "%sNULL" : "%s'%s'", before, cell);
            before = ",";
        }
        fprintf(out, ");\n");
    }
    fclose(file);
}

char *small_hospital_as_sql(const struct small_hospital *hospital)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out,
            "CREATE TABLE patients (patient_id integer, age integer, region text, salary double precision, "
            "balance numeric(18,2), insured boolean, disease text, born date);\n"
            "CREATE TABLE visits (visit_id integer, patient_id integer, clinic_id integer, day date, seen "
            "timestamp, cost double precision, tip double precision, kind text);\n"
            "CREATE TABLE clinics (clinic_id integer, name text, city text, beds integer);\n"
            "CREATE TABLE customers (customer_id text, level integer);\n"
            "CREATE TABLE orders (order_id integer, customer_id text, channel text);\n"
            "CREATE TABLE items (order_id integer, product text, price integer);\n"
            "CREATE TABLE readings (sensor integer, celsius double precision);\n");
    static const char *const names[] = {"patients", "visits", "clinics", "customers",
                                        "orders",   "items",  "readings"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        insert_file(out, hospital, names[i]);
    fprintf(out, "DELETE FROM visits WHERE patient_id IS NULL;\n"
                 "DELETE FROM items WHERE order_id NOT IN (SELECT order_id FROM orders);\n");
    fclose(out);
    return text;
}
