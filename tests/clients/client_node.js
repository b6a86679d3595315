// node's pg against `dither serve` with tests/clients/clients.yaml: signing in over TLS, types, parameters, prepared statements, a pool,
// errors, notices, the catalogue. True values are computed here from how tests/support/served.sh makes the data. Ends with 1 at the first
// difference. Connects by the environment; NODE_PATH leads to pg.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const pg = require("pg");

const people = Array.from({length: 400}, (_, k) => k + 1).map((i) => ({age: i % 90, region: i % 3 ? "north" : "south"}));
const count = (condition) => String(people.filter(condition).length);
const ssl = {ca: fs.readFileSync(process.env.PGSSLROOTCERT), rejectUnauthorized: true, servername: "localhost"};

async function types(client) {
    const result = await client.query("SELECT * FROM kinds ORDER BY id");
    assert.deepEqual(result.fields.map((field) => [field.name, field.dataTypeID]),
        [["id", 20], ["whole", 20], ["fraction", 701], ["price", 1700], ["word", 25], ["day", 1082], ["moment", 1114], ["truth", 16]]);
    const [first, second, third] = result.rows;
    assert.equal(first.whole, "-9007199254740993"); // what a double does not hold comes as text
    assert.equal(first.fraction, 0.1);
    assert.equal(first.price, "-12345.67");
    assert.equal(first.word, "Zo\u00eb's \"word\"");
    assert.equal(first.day.getTime(), new Date(2024, 1, 29).getTime());
    assert.equal(first.moment.getTime(), new Date(2024, 1, 29, 12, 30, 0, 500).getTime());
    assert.equal(first.truth, true);
    assert.deepEqual(Object.values(second), ["2", null, null, null, null, null, null, null]);
    assert.equal(third.fraction, 1e300);
    assert.equal(third.word, "");
    assert.equal(third.truth, false);
}

async function parameters(client) {
    const text = "SELECT count(*) AS n FROM people WHERE age > $1 AND region = $2";
    for (const age of [40, "50", 60n]) {
        const result = await client.query(text, [age, "south"]);
        assert.equal(result.rows[0].n, count((one) => one.age > Number(age) && one.region === "south"));
    }
    for (let i = 0; i < 3; i++) { // prepared once, by its name
        const result = await client.query({name: "by_age", text: "SELECT region, count(*) AS n FROM people WHERE age < $1 GROUP BY region ORDER BY 1",
            values: [30 + i], rowMode: "array"});
        assert.deepEqual(result.rows, ["north", "south"].map((region) => [region, count((one) => one.age < 30 + i && one.region === region)]));
    }
    const result = await client.query("SELECT id FROM kinds WHERE truth = $1 AND price = $2 AND moment = $3 AND word = $4 AND fraction = $5",
        [true, "-12345.67", new Date(2024, 1, 29, 12, 30, 0, 500), "Zo\u00eb's \"word\"", 0.1]);
    assert.deepEqual(result.rows, [{id: "1"}]);
    assert.deepEqual((await client.query("SELECT id FROM kinds WHERE truth = $1", [null])).rows, []);
    const binary = await client.query({text: "SELECT whole, truth FROM kinds WHERE id = 3", binary: true});
    assert.deepEqual(binary.rows, [{whole: "0", truth: false}]);
}

async function errors(client) {
    for (const [text, code, position] of [["SELECT avg(agee) FROM people", "42703", "12"], ["SELECT 1 FROM nobody", "42P01", "15"],
        ["SELEC 1", "42601", "1"], ["SELECT * FROM people", "0A000"], ["UPDATE people SET age = 1", "0A000"]])
        for (const values of [undefined, []]) // both protocols
            await assert.rejects(client.query(text, values), (error) => {
                assert.equal(error.code, code, text);
                if (position !== undefined)
                    assert.equal(error.position, position, text);
                return true;
            });
    await client.query("BEGIN");
    await assert.rejects(client.query("SELECT nothing FROM people"), {code: "42703"});
    await assert.rejects(client.query("SELECT 1"), {code: "25P02"});
    await client.query("ROLLBACK");
}

async function answers(client) {
    const notices = [];
    client.on("notice", (notice) => notices.push(notice.message));
    await client.query("SET dither.intervals = on");
    const result = await client.query("SELECT count(*) AS n FROM public.people");
    assert.deepEqual(result.rows, [{n: "400", n_low: "400", n_high: "400"}]);
    assert.match(notices[0], /^cost epsilon/);
    await client.query("RESET dither.intervals");
    assert.equal((await client.query("SELECT n FROM numbers")).rows.length, 5000);
    const tables = await client.query("SELECT table_name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1", ["public"]);
    assert.deepEqual(tables.rows.map((row) => row.table_name), ["kinds", "numbers", "people"]);
}

async function pool() {
    const many = new pg.Pool({ssl, max: 4});
    const results = await Promise.all(Array.from({length: 12}, (_, i) => many.query("SELECT count(*) AS n FROM people WHERE age = $1", [i])));
    results.forEach((result, i) => assert.equal(result.rows[0].n, count((one) => one.age === i)));
    await many.end();
}

async function main() {
    const client = new pg.Client({ssl});
    await client.connect();
    await types(client);
    await parameters(client);
    await errors(client);
    await answers(client);
    await client.end();
    await pool();
    await assert.rejects(new pg.Client({ssl, password: "wrong"}).connect(), {code: "28P01"});
    console.log(`pg ${require("pg/package.json").version}, node ${process.version}`);
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
