/* Feeds arbitrary bytes to a whole session of the PostgreSQL protocol, over a backend that stands in (tests/support/session_client.h):
 * from the first byte on, or, where they begin with '!', of one who has signed in. It must always come to rest, wanting more or the end,
 * and hold no more than it may. */
#include <stdlib.h>

#include "tests/support/session_client.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static bool prepared;
    struct client client;
    if (!prepared && set_up_session(NULL) != 0)
        abort();
    prepared = true;
    bool known = count > 0 && bytes[0] == '!';
    if (known) {
        client = client_signed_in();
        bytes++;
        count--;
    } else {
        client_connect(&client);
    }
    client_send_bytes(&client, bytes, count);
    if (client.wants != SESSION_INPUT && client.wants != SESSION_CLOSE && client.wants != SESSION_TLS)
        abort();
    client_disconnect(&client);
    buffer_clear(&backend_told);
    return 0;
}
