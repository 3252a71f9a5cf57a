#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailReading
internal import TaffrailStore
internal import TaffrailText

/// Sends points to a receiver, as records in batches.
struct PointUpload {
    /// The number of points that the receiver has confirmed.
    private(set) var sent = 0
    /// The numbers of points in accepted batches that it refused, and that it stored without all of their attributes.
    private(set) var (refused, truncated) = (0, 0)
    private let curl: ExternalProgram
    private let url: String
    private let configuration: [UInt8]
    private let renderer = JSONLineRenderer()
    private var lines: [UInt8] = []
    private var count = 0

    private static let batchSize = 500
    private static let longestResponse = 1 << 20

    /// Returns the address to send points to; `nil` if a URL is not the address of a receiver.
    static func address(_ url: String) -> String? {
        for scheme in ["http://", "https://"] where url.lowercased().hasPrefix(scheme) {
            var host = url.dropFirst(scheme.count)
            if host.hasSuffix("/") { host.removeLast() }
            let isPlain = host.utf8.allSatisfy { byte in
                byte > 32 && byte < 127 && !"/?#@\"\\{}".utf8.contains(byte)
            }
            return isPlain && !host.isEmpty ? scheme + host + "/logs" : nil
        }
        return nil
    }

    /// Prepares an upload.
    ///
    /// - Throws: Exit status 64 for a token that cannot be sent, 69 without curl; the problem has been printed.
    init(to url: String, token: String?) throws {
        guard let curl = ExternalProgram("curl") else {
            throw ExitCode.unavailable.reporting("curl is not installed")
        }
        self.curl = curl
        self.url = Self.address(url) ?? url
        // Passed through its input: other users can read the arguments of a program.
        guard let token else {
            configuration = []
            return
        }
        guard token.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        else { throw ValidationError("the token contains characters that are not allowed in a header") }
        configuration = Array("header = \"Authorization: Bearer \(token)\"\n".utf8)
    }

    /// Adds a point, and sends a batch that is complete.
    mutating func add(_ point: TrackPoint) throws {
        renderer.set(Self.record(point))
        lines += renderer.bytes
        lines.append(UInt8(ascii: "\n"))
        count += 1
        if count == Self.batchSize { try send() }
    }

    /// Sends the last batch.
    mutating func finish() throws { if count > 0 { try send() } }

    /// Returns a point as the record that its receiver would have logged, with an identity that is always the same.
    private static func record(_ point: TrackPoint) -> LogRecord {
        var location = point.location
        location.extra.device = point.device
        var record = GeoEvent.location(location).record(received: point.timestamp)
        var origin = [LogValueEntry(OriginAttributes.device, .string(point.device))]
        if let source = point.source, source != point.device {
            origin.append(LogValueEntry(OriginAttributes.receiver, .string(source)))
        }
        if let run = point.run, run != .none, let sequence = point.sequence, sequence > 0 {
            origin.append(LogValueEntry(OriginAttributes.run, .string("\(run)")))
            origin.append(LogValueEntry(OriginAttributes.sequence, .int(Int64(clamping: sequence))))
        } else {
            // An imported point has no number.
            let text = "\(point.device)\n\(point.timestamp.nanoseconds)\n\(point.lat)\n\(point.lon)"
            let number = SHA256.hash(Array(text.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            origin.append(LogValueEntry(OriginAttributes.run, .string("taffrail.history")))
            origin.append(LogValueEntry(OriginAttributes.sequence, .int(Int64(number >> 11))))
        }
        if let battery = point.battery { origin.append(LogValueEntry(TrackPoint.Attribute.battery, .double(battery))) }
        record.attributes = origin + record.attributes
        return record
    }

    /// Sends the batch. If a receiver has no space, the request is repeated a few times.
    ///
    /// - Throws: The exit status for the failure, which has been printed.
    private mutating func send() throws {
        let key = HexText.string(SHA256.hash(lines).prefix(16))
        let result: (status: CInt, bytes: [UInt8])
        let response: [UInt8]
        do throws(SystemError) {
            // Named files: curl's input is the configuration, and a file of its own is emptied before each new attempt.
            let body = try FileDescriptor(inMemory: "points")
            let received = try FileDescriptor(inMemory: "response")
            try body.write(lines, at: 0)
            let descriptors = "/proc/\(ThisProcess.id)/fd/"
            result = try curl.output(
                [
                    "-sS", "-K", "-", "--proto", "=http,https", "--max-time", "120", "--retry", "6", "-H",
                    "Content-Type: application/x-ndjson", "-H", "Idempotency-Key: \(key)", "-H", "Expect:",
                    "--data-binary", "@\(descriptors)\(body.number)", "-o", "\(descriptors)\(received.number)",
                    "-w", "%{http_code}", url,
                ], input: configuration)
            response = try received.read(min(received.size, Self.longestResponse), at: 0)
        } catch { throw ExitCode.inputOutput.reporting(error) }
        // curl has printed the reason.
        guard result.status == 0 else { throw ExitCode.unavailable }
        try check(
            Int(String(decoding: result.bytes, as: UTF8.self)) ?? 0, String(decoding: response, as: UTF8.self))
        (lines, count) = ([], 0)
    }

    private mutating func check(_ status: Int, _ text: String) throws {
        if status == 200 {
            // Other servers that accept records may not count them.
            let accepted = Self.number("accepted", in: text) ?? count
            sent += min(count, max(0, accepted))
            refused += max(0, count - accepted)
            truncated += Self.number("truncated", in: text) ?? 0
            return
        }
        let shown = TerminalText.safe(text.prefix(200).split(separator: "\n").joined(separator: " "))
        StandardStream.report("\(url) returned \(status): \(shown)")
        switch status {
        case 401, 403: throw ExitCode.noPermission
        case 408, 429, 500...: throw ExitCode.temporaryFailure
        default: throw ExitCode.dataError
        }
    }

    /// Returns a number in a response.
    private static func number(_ name: String, in response: String) -> Int? {
        LogValue(json: response.utf8)?[name]?.integer.map { Int($0) }
    }
}
#endif
