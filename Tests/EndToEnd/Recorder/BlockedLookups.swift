import Foundation
import TaffrailTestSupport
import Testing

/// A library that is loaded before all others, and lets lookups of the host `ferry.example` block forever, as those of a
/// silent name server do for minutes. They create the file named by `NOTE_LOOKUP`.
enum BlockedLookups {
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <netdb.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        typedef int (*look_up)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

        int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **list) {
            int is_numeric = hints && hints->ai_flags & AI_NUMERICHOST;
            if (host && !is_numeric && strcmp(host, "ferry.example") == 0) {
                int note = open(getenv("NOTE_LOOKUP"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
                if (note >= 0) close(note);
                for (;;) pause();
            }
            return ((look_up)dlsym(RTLD_NEXT, "getaddrinfo"))(host, port, hints, list);
        }

        """

    /// Compiles it into a directory.
    static func library(in folder: TemporaryDirectory) async throws -> String {
        try folder.write(source, to: "block.c")
        let command = try Program(
            ["-shared", "-fPIC", "-O1", "-o", folder.file("block.so"), folder.file("block.c"), "-ldl"],
            of: try #require(FailingWrites.compiler), in: folder)
        #expect(await command.wait() == 0, "\(folder.text("errors"))")
        return folder.file("block.so")
    }
}
