#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording

/// Completes the names of recordings, and the paths of files.
enum RecordingNames {
    static let completion = CompletionKind.custom { words, _, prefix in names(words, prefix) }

    /// Returns the completions of a prefix for the shell.
    ///
    /// - Parameter words: The command line, in which `--directory` may name the directory.
    static func names(_ words: [String], _ prefix: String) -> [String] {
        if let slash = prefix.lastIndex(of: "/") {
            let head = String(prefix[...slash])
            return Directory.names(in: head).filter { !$0.hasPrefix(".") }.map { name in
                head + name + (Directory.exists(head + name) ? "/" : "")
            }
        }
        let flag = words.firstIndex(of: "--directory").map { words.index(after: $0) }
        let directory = flag.flatMap { words.indices.contains($0) ? words[$0] : nil }
        let names = Directory.names(in: directory ?? RecordingOptions.defaultDirectory)
        return names.filter { ($0.hasSuffix(".json") || $0.hasSuffix(".json.gz")) && !$0.hasPrefix(".") }.sorted()
    }
}
#endif
