#define _GNU_SOURCE
#include "taffrail_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int taffrail_rename_exclusive(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // The file system has no such rename: a link never replaces either.
    if (link(from, to) == 0) return unlink(from) == 0 ? 0 : errno;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return errno;
    // It has no links. Who renames holds the log's lock, so only a stranger could come in between.
    struct stat there;
    if (lstat(to, &there) == 0) return EEXIST;
    if (errno != ENOENT) return errno;
    return rename(from, to) == 0 ? 0 : errno;
}

int taffrail_sync_filesystem(int fd) { return syncfs(fd) == 0 ? 0 : errno; }
