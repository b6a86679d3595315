/* notify.h - telling the service manager that started us, if one did (sd_notify(3), by hand: one datagram). */
#ifndef CLI_NOTIFY_H
#define CLI_NOTIFY_H

/* "READY=1": clients may come. Without NOTIFY_SOCKET nothing happens; that it failed is nobody's business. */
void notify_ready(void);

#endif
