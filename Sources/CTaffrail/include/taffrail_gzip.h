// gzip with the system's zlib, which is loaded on first use: programs run without it, too.
#ifndef TAFFRAIL_GZIP_H
#define TAFFRAIL_GZIP_H

#include <stdint.h>

/// Whether zlib can be loaded: 1 or 0.
int taffrail_gzip_is_available(void);

/// Compresses the contents of `from`, from its start, into `to`.
///
/// Another thread may set `stop` to cancel: the result is then ECANCELED. `length` receives the number of bytes read.
/// 0, or an errno value; ENOSYS without zlib.
int taffrail_gzip(int from, int to, int level, const uint32_t *_Nonnull stop, int64_t *_Nonnull length);

/// Yields to every other thread of the machine.
void taffrail_lower_priority(void);

#endif
