// libsystemd: the reference to which tests compare the journal's sink and reader, and the notifications of systemd.
// Swift gives no source location to sd_journal_send.
#define SD_JOURNAL_SUPPRESS_LOCATION 1
#include <sys/uio.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
