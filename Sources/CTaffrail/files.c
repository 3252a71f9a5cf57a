#define _GNU_SOURCE
#include "taffrail_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

int taffrail_rename_exclusive(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // The file system does not support this rename. A link never replaces an existing file either.
    if (link(from, to) == 0) return unlink(from) == 0 ? 0 : errno;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return errno;
    // Links are not supported either. The caller holds the log's lock, so only a foreign program could interfere.
    struct stat there;
    if (lstat(to, &there) == 0) return EEXIST;
    if (errno != ENOENT) return errno;
    return rename(from, to) == 0 ? 0 : errno;
}

void taffrail_release_zeros(int fd, int64_t start, int64_t end) {
    enum { page = 4096 };
    static const char zeros[page];
    char bytes[page];
    // The start of the current run of zero pages.
    int64_t from = -1;
    for (int64_t at = (start + page - 1) / page * page;; at += page) {
        int is_page = at + page <= end && pread(fd, bytes, page, at) == page;
        if (is_page && memcmp(bytes, zeros, page) == 0) {
            if (from < 0) from = at;
            continue;
        }
        if (from >= 0) (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, at - from);
        from = -1;
        if (!is_page) return;
    }
}

int taffrail_keeps_mapped_bytes(int fd) {
    struct statfs info;
    if (fstatfs(fd, &info) != 0) return 0;
    switch ((uint32_t)info.f_type) {
    case 0xEF53:      // ext2, ext3, ext4
    case 0x58465342:  // xfs
    case 0xF2F52010:  // f2fs
    case 0x01021994:  // tmpfs
        return 1;
    case 0x794C7630:
        // overlayfs reports the numbers of its upper layer, which reveal file systems that write each page to a new
        // block: btrfs has no inodes to count, and zfs has fragments smaller than its blocks. Not recognized are
        // bcachefs, which counts inodes and has no fragments but also writes each page to a new block, and FUSE and
        // virtiofs, which report the numbers of an arbitrary file system.
        return info.f_files != 0 && (info.f_frsize == 0 || info.f_frsize == info.f_bsize);
    default: return 0;
    }
}

int taffrail_mkdir_as(const char *path, uint32_t mode, uint32_t user, uint32_t group) {
    // For this thread only. Root's rights are not used, because the directory's owner could have put another file
    // there.
    int group_before = setfsgid(group);
    int user_before = setfsuid(user);
    int result = mkdir(path, mode) == 0 ? 0 : errno;
    (void)setfsuid((uid_t)user_before);
    (void)setfsgid((gid_t)group_before);
    return result;
}

int taffrail_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

int taffrail_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int taffrail_sync_filesystem(int fd) { return syncfs(fd) == 0 ? 0 : errno; }
