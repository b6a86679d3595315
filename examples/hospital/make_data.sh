#!/bin/sh
# Makes the data of the example: people who never were. The same files every time, whatever awk runs it.
#
#   examples/hospital/make_data.sh [FOLDER]      by default beside this script
set -eu
cd "${1:-$(dirname "$0")}"

LC_ALL=C awk '
# Park and Miller 1988: every product is below 2^53, so that doubles hold it exactly.
function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
function whole(low, high) { return low + int(random() * (high - low + 1)) }

# The first of the weighted choices whose running total passes a random point.
function choose(names, weights, count,    total, i, point) {
    for (i = 1; i <= count; i++) total += weights[i]
    point = random() * total
    for (i = 1; i < count; i++) { point -= weights[i]; if (point < 0) break }
    return names[i]
}

# Days since 2024-01-01 as a date; up to 2026-12-31.
function date(day,    year, month, lengths) {
    for (year = 2024; day >= (year % 4 == 0 ? 366 : 365); year++) day -= year % 4 == 0 ? 366 : 365
    split("31 28 31 30 31 30 31 31 30 31 30 31", lengths, " ")
    if (year % 4 == 0) lengths[2] = 29
    for (month = 1; day >= lengths[month]; month++) day -= lengths[month]
    return sprintf("%d-%02d-%02d", year, month, day + 1)
}

BEGIN {
    seed = 20240229
    split("north south east west", regions, " ");  split("8 6 4 2", region_weights, " ")
    diseases = split("asthma diabetes hypertension migraine eczema arthritis anaemia gout psoriasis lupus myasthenia", disease, " ")
    split("300 260 420 180 120 160 60 40 30 12 3", disease_weights, " ")

    # Clinics are public: three in each region.
    split("Alder Birch Cedar Dale Elm Fern Grove Heath Ivy Juniper Kings Linden", names, " ")
    print "clinic_id,name,region,beds" > "clinics.csv"
    for (i = 1; i <= 12; i++)
        printf "%d,%s,%s,%d\n", i, names[i], regions[int((i - 1) / 3) + 1], 20 * whole(1, 12) > "clinics.csv"
    close("clinics.csv")

    print "patient_id,age,region,smoker,salary,disease" > "patients.csv"
    print "visit_id,patient_id,clinic_id,day,cost" > "visits.csv"
    for (patient = 1; patient <= 2000; patient++) {
        age = whole(0, 45) + whole(0, 45)
        home = choose(regions, region_weights, 4)
        smoker = age > 15 && random() < 0.22 ? "true" : "false"
        salary = age < 18 ? "" : sprintf("%d", 100 * int((18000 + 36000 * random() * random() + 250 * age) / 100))
        illness = random() < 0.22 ? "" : choose(disease, disease_weights, diseases)
        printf "%d,%d,%s,%s,%s,%s\n", patient, age, home, smoker, salary, illness > "patients.csv"

        for (i = 1; regions[i] != home; i++) { }
        near = 3 * (i - 1) + whole(1, 3)
        # About four visits each; now and then somebody comes very often.
        count = random() < 0.01 ? whole(20, 40) : whole(0, 3) + whole(0, 2) + (age > 50 ? whole(0, 5) : 0) + (smoker == "true")
        for (i = 0; i < count; i++) {
            clinic = random() < 0.8 ? near : whole(1, 12)
            cost = 40 + 200 * random() + (random() < 0.08 ? 1800 * random() : 0) + 2 * age
            printf "%d,%d,%d,%s,%.2f\n", ++visit, patient, clinic, date(whole(0, 1095)), cost > "visits.csv"
        }
    }
}'
