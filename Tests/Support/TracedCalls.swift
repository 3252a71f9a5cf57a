internal import Foundation
internal import Testing

/// The calls with which a program writes files and makes them durable, and with which its threads sleep, recorded by a
/// preloaded library.
package struct TracedCalls {
    package struct Call: Sendable {
        /// `write`, `sync`, `syncfs`, `failed` (a sync of either kind), `uncut` (a failed truncation), `entry` (a
        /// directory has a new name), `packed` (the name of a compressed file, with the number of its directory),
        /// `rename` (of a file, by its old name), `unlink`, `print`; `barrier` (membarrier) and `sleep` (until it is
        /// woken up), which have a thread's number and name.
        package let name: Substring
        package let inode: UInt64
        package let path: Substring
    }

    package let calls: [Call]

    /// Reads the library's notes.
    package init(_ text: String) {
        calls = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 2)
            guard fields.count == 3, let inode = UInt64(fields[1]) else { return nil }
            return Call(name: fields[0], inode: inode, path: fields[2])
        }
    }

    /// The writes below a directory that had not been made durable, each time the program printed a line.
    package func unsynchronized(under directory: String, where isWanted: (Substring) -> Bool) -> [[Substring]] {
        var dirty: [UInt64: Substring] = [:]
        var found: [[Substring]] = []
        for call in calls {
            switch call.name {
            case "write" where call.path.hasPrefix(directory + "/") && isWanted(call.path):
                dirty[call.inode] = call.path
            case "entry" where call.path == directory: dirty[call.inode] = call.path
            case "sync", "unlink": dirty[call.inode] = nil
            // The whole file system, which contains all files of a directory.
            case "syncfs": dirty = [:]
            case "print": found.append(dirty.values.sorted())
            default: break
            }
        }
        return found
    }

    /// Files that replaced another and had not been made durable before.
    package var renamedUnsynchronized: [Substring] {
        var dirty: Set<UInt64> = []
        var found: [Substring] = []
        for call in calls {
            switch call.name {
            case "write": dirty.insert(call.inode)
            case "sync": dirty.remove(call.inode)
            case "syncfs": dirty = []
            case "rename" where call.path.hasSuffix(".tmp") && dirty.contains(call.inode): found.append(call.path)
            default: break
            }
        }
        return found
    }

    /// Files that were deleted before the name of their compressed copy had been made durable.
    package var deletedUnsynchronized: [Substring] {
        var directories: [Substring: UInt64] = [:]
        var found: [Substring] = []
        for call in calls {
            switch call.name {
            case "packed": directories[call.path.dropLast(3)] = call.inode
            case "sync": directories = directories.filter { $0.value != call.inode }
            case "syncfs": directories = [:]
            case "unlink" where directories[call.path] != nil: found.append(call.path)
            default: break
            }
        }
        return found
    }

    // MARK: The library

    package static let compiler = ["/usr/bin/clang", "/usr/bin/cc", "/usr/bin/gcc"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Compiles it into a directory. `TRACE_CALLS` names the file of notes. Of the calls that synchronize
    /// `FAIL_SYNC_OF`, the end of a file's path or a directory whose file system is synchronized, the first
    /// `FAIL_SYNCS` fail with EIO, or the one that finds and removes the file `FAIL_SYNC_IF`: the kernel reports each
    /// lost write once. A long write to `FAIL_CUT_OF` that finds that file stops halfway, the next `FAIL_WRITES` writes
    /// find no space, and the next truncation fails.
    package static func library(in directory: TemporaryDirectory) throws -> String {
        let (file, library) = (directory.file("trace.c"), directory.file("trace.so"))
        if directory.names.contains("trace.so") { return library }
        try directory.append(source, to: "trace.c")
        let command = try Program(
            ["-shared", "-fPIC", "-O1", "-o", library, file, "-ldl"], of: try #require(compiler),
            errors: directory.file("trace.errors"))
        try #require(command.end() == .exited(0), "\(directory.text("trace.errors"))")
        return library
    }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <linux/futex.h>
        #include <linux/membarrier.h>
        #include <stdarg.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/prctl.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        static void note(const char *what, unsigned long inode, const char *path) {
            const char *trace = getenv("TRACE_CALLS");
            if (!trace) return;
            int saved = errno;
            char line[4200];
            int length = snprintf(line, sizeof line, "%s %lu %s\n", what, inode, path);
            int out = (int)syscall(SYS_openat, AT_FDCWD, trace, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
            if (out >= 0) {
                (void)syscall(SYS_write, out, line, (size_t)length);
                (void)syscall(SYS_close, out);
            }
            errno = saved;
        }
        static int path_of(int fd, char *path) {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            ssize_t length = readlink(link, path, 4095);
            path[length > 0 ? length : 0] = 0;
            return length > 0;
        }
        static void note_file(const char *what, int fd) {
            struct stat info;
            char path[4096];
            int saved = errno;
            if (path_of(fd, path) && fstat(fd, &info) == 0) note(what, info.st_ino, path);
            errno = saved;
        }
        static void note_entry(const char *path) {
            char directory[4096];
            struct stat info;
            snprintf(directory, sizeof directory, "%s", path);
            char *slash = strrchr(directory, '/');
            if (!slash) return;
            *slash = 0;
            if (stat(directory, &info) != 0) return;
            // A compression may begin and end at any time, and keeps its source until the directory is synchronized.
            if (!strstr(path, ".gz")) note("entry", info.st_ino, directory);
            else if (!strstr(path, ".tmp")) note("packed", info.st_ino, path);
        }

        static void note_thread(const char *what) {
            char name[16] = "";
            (void)prctl(PR_GET_NAME, name);
            note(what, (unsigned long)gettid(), name);
        }
        long syscall(long number, ...) {
            static long (*real)(long, ...);
            long a[6];
            va_list list;
            va_start(list, number);
            for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
            va_end(list);
            if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
            if (number == SYS_membarrier && (int)a[0] == MEMBARRIER_CMD_PRIVATE_EXPEDITED) note_thread("barrier");
            if (number == SYS_futex && (int)a[1] == FUTEX_WAIT_PRIVATE && !a[3]) note_thread("sleep");
            return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
        }

        static int is_file(int fd, const char *variable) {
            const char *name = getenv(variable);
            char path[4096];
            if (!name || !path_of(fd, path)) return 0;
            size_t length = strlen(path), wanted = strlen(name);
            return length >= wanted && strcmp(path + length - wanted, name) == 0;
        }
        static int full_writes, failing_cuts;
        static int finds_no_room(int fd, size_t *count) {
            if (!is_file(fd, "FAIL_CUT_OF")) return 0;
            if (full_writes > 0) return full_writes--;
            const char *order = getenv("FAIL_SYNC_IF"), *limit = getenv("FAIL_WRITES");
            if (*count < 1000 || !order || !limit || syscall(SYS_unlinkat, AT_FDCWD, order, 0) != 0) return 0;
            full_writes = atoi(limit);
            failing_cuts = 1;
            // Not at the end of a line.
            *count = *count / 2 + 1;
            return 0;
        }
        static int cut(int fd, off64_t size) {
            if (failing_cuts == 0 || !is_file(fd, "FAIL_CUT_OF")) return (int)syscall(SYS_ftruncate, fd, size);
            failing_cuts = 0;
            note_file("uncut", fd);
            errno = EIO;
            return -1;
        }
        int ftruncate64(int fd, off64_t size) { return cut(fd, size); }
        int ftruncate(int fd, off_t size) { return cut(fd, size); }

        ssize_t write(int fd, const void *bytes, size_t count) {
            // Before it, as its reader reads these notes next.
            if (fd == 1) note_file("print", fd);
            if (finds_no_room(fd, &count)) {
                errno = ENOSPC;
                return -1;
            }
            ssize_t result = syscall(SYS_write, fd, bytes, count);
            if (fd != 1 && result > 0) note_file("write", fd);
            return result;
        }
        ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
            ssize_t result = syscall(SYS_pwrite64, fd, bytes, count, offset);
            if (result > 0) note_file("write", fd);
            return result;
        }
        ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
            return pwrite64(fd, bytes, count, offset);
        }

        static int fails(int fd) {
            static int failed;
            const char *limit = getenv("FAIL_SYNCS"), *order = getenv("FAIL_SYNC_IF");
            if (!is_file(fd, "FAIL_SYNC_OF")) return 0;
            if (limit && failed < atoi(limit)) failed++;
            else if (!order || syscall(SYS_unlinkat, AT_FDCWD, order, 0) != 0) return 0;
            note_file("failed", fd);
            errno = EIO;
            return 1;
        }
        static int synchronize(int fd, long call) {
            if (fails(fd)) return -1;
            int result = (int)syscall(call, fd);
            if (result == 0) note_file("sync", fd);
            return result;
        }
        int fdatasync(int fd) { return synchronize(fd, SYS_fdatasync); }
        int fsync(int fd) { return synchronize(fd, SYS_fsync); }
        int syncfs(int fd) {
            if (fails(fd)) return -1;
            int result = (int)syscall(SYS_syncfs, fd);
            if (result == 0) note_file("syncfs", fd);
            return result;
        }

        static int open_any(const char *path, int flags, int mode) {
            int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
            if (fd >= 0 && (flags & O_CREAT) && (flags & O_EXCL)) note_entry(path);
            return fd;
        }
        int open(const char *path, int flags, ...) {
            va_list list;
            va_start(list, flags);
            int mode = va_arg(list, int);
            va_end(list);
            return open_any(path, flags, mode);
        }
        int open64(const char *path, int flags, ...) {
            va_list list;
            va_start(list, flags);
            int mode = va_arg(list, int);
            va_end(list);
            return open_any(path, flags, mode);
        }

        static int moved(int result, const char *from, const char *to, unsigned long inode, int is_file) {
            if (result != 0) return result;
            if (is_file) note("rename", inode, from);
            note_entry(to);
            return 0;
        }
        int unlink(const char *path) {
            struct stat info;
            int is_there = lstat(path, &info) == 0;
            // Before the call: another thread that finds the file gone may print before this one could note it.
            if (is_there) note("unlink", info.st_ino, path);
            return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
        }
        int rename(const char *from, const char *to) {
            struct stat info;
            int is_file = lstat(from, &info) == 0 && S_ISREG(info.st_mode);
            return moved((int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), from, to, info.st_ino, is_file);
        }
        int renameat2(int at, const char *from, int there, const char *to, unsigned int flags) {
            struct stat info;
            int is_file = lstat(from, &info) == 0 && S_ISREG(info.st_mode);
            return moved((int)syscall(SYS_renameat2, at, from, there, to, flags), from, to, info.st_ino, is_file);
        }

        """#
}
