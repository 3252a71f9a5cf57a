// Reading gzip by the system's zlib, loaded when it is first needed, as for writing.
#ifndef TAFFRAIL_GUNZIP_H
#define TAFFRAIL_GUNZIP_H

#include <stdint.h>

/// A gzip file that is being read.
struct taffrail_gunzip;

/// Starts to read the gzip file `fd`, which the caller keeps open, from its start. NULL without zlib or memory.
struct taffrail_gunzip *_Nullable taffrail_gunzip_open(int fd);

/// Reads at most `count` bytes of what was compressed.
///
/// How many bytes were read; 0 at the end. An errno value, negative, on failure: EILSEQ for what is no gzip, ENODATA
/// where the file ends too early. Several members, one behind the other, are read as one.
int64_t taffrail_gunzip_read(struct taffrail_gunzip *_Nonnull gz, void *_Nonnull bytes, int64_t count);

/// Up to which byte of the compressed file it has read.
int64_t taffrail_gunzip_offset(const struct taffrail_gunzip *_Nonnull gz);

/// Ends reading.
void taffrail_gunzip_close(struct taffrail_gunzip *_Nullable gz);

#endif
