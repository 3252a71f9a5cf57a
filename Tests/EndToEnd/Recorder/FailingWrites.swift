import Foundation
import Glibc
import TaffrailTestSupport
import Testing

/// A library that is loaded before all others, lets writes to recordings fail with EIO, and notes when they are made
/// durable.
enum FailingWrites {
    static let compiler = ["/usr/bin/clang", "/usr/bin/cc", "/usr/bin/gcc"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/types.h>
        #include <unistd.h>

        // While the file that FAIL_WHILE names exists, writes to files called geo_log_… fail.
        ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
            static ssize_t (*next)(int, const void *, size_t, off_t);
            if (!next) next = dlsym(RTLD_NEXT, "pwrite");
            char link[64], path[4096];
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            ssize_t length = readlink(link, path, sizeof path - 1);
            if (length > 0) {
                path[length] = 0;
                const char *name = getenv("FAIL_WHILE");
                if (strstr(path, "/geo_log_") && name && access(name, F_OK) == 0) {
                    errno = EIO;
                    return -1;
                }
            }
            return next(fd, bytes, count, offset);
        }
        // Each fsync of a recording is a byte in the file that NOTE_SYNC names.
        int fsync(int fd) {
            static int (*next)(int);
            if (!next) next = dlsym(RTLD_NEXT, "fsync");
            char link[64], path[4096];
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            ssize_t length = readlink(link, path, sizeof path - 1);
            int result = next(fd);
            const char *name = getenv("NOTE_SYNC");
            if (length > 0 && name && result == 0) {
                path[length] = 0;
                int note = strstr(path, "/geo_log_") ? open(name, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
                if (note >= 0) {
                    (void)!write(note, ".", 1);
                    close(note);
                }
            }
            return result;
        }
        ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
            return pwrite(fd, bytes, count, offset);
        }

        """

    /// Compiles it into a directory.
    static func library(in folder: TemporaryDirectory) async throws -> String {
        try folder.write(source, to: "fail.c")
        let command = try Program(
            ["-shared", "-fPIC", "-O1", "-o", folder.file("fail.so"), folder.file("fail.c"), "-ldl"],
            of: try #require(compiler), in: folder)
        #expect(await command.wait() == 0, "\(folder.text("errors"))")
        return folder.file("fail.so")
    }
}
