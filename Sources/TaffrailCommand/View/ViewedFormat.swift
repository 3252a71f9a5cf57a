#if Command && Server && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailReading
internal import TaffrailStore
internal import TaffrailText
internal import TaffrailTracks

/// The format of a file, by its name and its first bytes.
enum ViewedFormat: Hashable {
    /// A log, or a directory of logs.
    case log
    /// A recording or another track.
    case track(TrackFormat)
    /// Positions from another program.
    case points(ImportFormat)

    /// The number of bytes that are examined.
    private static let head = 4_096

    /// Finds the format of a file.
    ///
    /// - Throws: The exit status of a file that cannot be read, which has been reported.
    init(of path: String) throws {
        guard !Directory.exists(path) else {
            self = .log
            return
        }
        switch ImportFormat(path: path) {
        case .track(.json)?: self = try Self.isLog(Self.begin(path)) ? .log : .track(.json)
        // `.log` and `.txt`, too.
        case .track(.nmea)?: self = try Self.isNMEA(Self.begin(path)) ? .track(.nmea) : .log
        case .track(let format)?: self = .track(format)
        case let format?: self = .points(format)
        case nil: self = .log
        }
    }

    private static func begin(_ path: String) throws -> [UInt8] {
        do throws(SystemError) {
            guard path.hasSuffix(".gz") else { return try FileSource(path: path).readAll(limit: head) }
            return try GzipSource(FileDescriptor(reading: path)).readAll(limit: head)
        } catch {
            throw ExitCode(reading: error).reporting(error)
        }
    }

    /// Returns whether a JSON file begins with a line that is a record.
    static func isLog(_ bytes: [UInt8]) -> Bool {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard line.count < bytes.count, let found = line.withUnsafeBytes({ InputLine().object($0) }) else {
            return false
        }
        return !found.record.message.isEmpty || found.record.eventName != nil
    }

    /// Returns whether a file begins with a sentence of NMEA.
    static func isNMEA(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { $0 > 32 }
        return first == UInt8(ascii: "$") || first == UInt8(ascii: "!")
    }
}
#endif
