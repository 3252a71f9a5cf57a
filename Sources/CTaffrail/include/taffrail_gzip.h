// gzip by the system's zlib, which is loaded when it is first needed: a program runs without it, too.
#ifndef TAFFRAIL_GZIP_H
#define TAFFRAIL_GZIP_H

#include <stdint.h>

/// Whether zlib can be loaded: 1 or 0.
int taffrail_gzip_is_available(void);

/// Writes what `from` has from its start on to `to`, compressed.
///
/// `stop` may become other than 0 in another thread: then ECANCELED. `length` is how many bytes were read. 0, or an
/// errno value; ENOSYS without zlib.
int taffrail_gzip(int from, int to, int level, const uint32_t *_Nonnull stop, int64_t *_Nonnull length);

/// Gives way to every other thread of the machine.
void taffrail_lower_priority(void);

#endif
