// System calls on files and sockets that are not importable because their headers hide them without _GNU_SOURCE.
#ifndef TAFFRAIL_FILES_H
#define TAFFRAIL_FILES_H

// Not <sys/types.h>: Swift would treat its declarations, such as timespec, as declarations of this module.
#include <stdint.h>

/// Renames a file unless the target exists. 0, or an errno value (EEXIST when it exists).
int taffrail_rename_exclusive(const char *_Nonnull from, const char *_Nonnull to);

/// Synchronizes the file system of `fd`. 0, or an errno value.
int taffrail_sync_filesystem(int fd);

/// Releases the disk space of pages between two offsets of a file that contain only zeros. The contents stay the same.
/// Does nothing if the file system does not support holes.
void taffrail_release_zeros(int fd, int64_t start, int64_t end);

/// Whether bytes stored in a mapping of the allocated file `fd` are in its page cache, on a local disk or in memory,
/// and a full disk cannot turn the store into SIGBUS: 1 or 0. An overlay is classified by its upper layer.
int taffrail_keeps_mapped_bytes(int fd);

/// Creates a pipe that children do not inherit, not even those forked at the same time. `ends` receives the read end
/// and the write end, and is unchanged on failure. 0, or an errno value.
int taffrail_pipe(int *_Nonnull ends);

/// Accepts a connection that is non-blocking and not inherited by children. Returns its descriptor, or -1 with `errno`.
int taffrail_accept(int listener);

/// Creates a directory with the rights of another user. 0, or an errno value. For root.
int taffrail_mkdir_as(const char *_Nonnull path, uint32_t mode, uint32_t user, uint32_t group);

#endif
