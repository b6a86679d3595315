#include "attack/towns.h"

status towns_open(struct lab *lab, const struct towns_shape *shape, const void *context, const char *epsilon,
                  error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "town,person,secret\n");
    for (size_t town = 0; town < shape->towns; town++)
        for (size_t person = 0; person < shape->people; person++)
            buffer_format(text, "%zu,%zu,%s\n", town, person,
                          shape->secret(context, town, person) ? "true" : "false");
    TRY(lab_save(lab, "people.csv", why));
    text = lab_text(lab);
    buffer_format(text,
                  "dataset: towns\ntables:\n  people:\n    source: people.csv\n    unit: row\n"
                  "    columns:\n      town: {type: integer, range: [0, %zu], null: false}\n"
                  "      person: {type: integer, range: [0, %zu], null: false}\n"
                  "      secret: {type: boolean, null: false}\n",
                  shape->towns - 1, shape->people - 1);
    return lab_open(lab, epsilon, NULL, why);
}
