// zstd with the system's libzstd, which is loaded on first use: programs run without it, too.
#ifndef TAFFRAIL_ZSTD_H
#define TAFFRAIL_ZSTD_H

#include <stddef.h>
#include <stdint.h>

/// Whether libzstd can be loaded: 1 or 0.
int taffrail_zstd_is_available(void);

/// The maximum compressed size of `count` bytes; 0 without libzstd, or for too many bytes.
size_t taffrail_zstd_bound(size_t count);

/// Compresses `count` bytes into one frame in `to`, which has `room` bytes.
///
/// Returns the size of the frame; 0 on failure.
size_t taffrail_zstd(const uint8_t *from, size_t count, uint8_t *to, size_t room, int level);

#endif
