// Reads gzip with the system's zlib, which is loaded on first use, as for writing.
#ifndef TAFFRAIL_GUNZIP_H
#define TAFFRAIL_GUNZIP_H

#include <stdint.h>

/// An open gzip file.
struct taffrail_gunzip;

/// Starts reading the gzip file `fd`, which the caller keeps open, from its start. NULL without zlib or memory.
struct taffrail_gunzip *_Nullable taffrail_gunzip_open(int fd);

/// Reads at most `count` decompressed bytes.
///
/// Returns the number of bytes; 0 at the end; a negative errno value on failure: EILSEQ if the data is not gzip,
/// ENODATA if the file is truncated. Consecutive members are read as one.
int64_t taffrail_gunzip_read(struct taffrail_gunzip *_Nonnull gz, void *_Nonnull bytes, int64_t count);

/// The number of compressed bytes read.
int64_t taffrail_gunzip_offset(const struct taffrail_gunzip *_Nonnull gz);

/// Ends reading.
void taffrail_gunzip_close(struct taffrail_gunzip *_Nullable gz);

#endif
