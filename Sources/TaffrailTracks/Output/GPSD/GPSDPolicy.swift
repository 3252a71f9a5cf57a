internal import TaffrailText

/// A client's subscription at a ``GPSDServer``: the members of gpsd's WATCH object, with gpsd's defaults.
struct GPSDPolicy: Sendable, Hashable {
    /// The reason why a WATCH object is invalid, in gpsd's words.
    struct Failure: Error { var reason: String }

    var isWatcher = false
    var json = false
    var nmea = false
    /// 1: sentences, 2: raw bytes; both are sentences here.
    var raw = 0
    var scaled = false
    var timing = false
    var split24 = false
    var pps = false
    /// The only device to watch; `nil`: all.
    var device: String?

    /// Returns whether the client subscribes to reports of a device.
    func wantsReports(of device: String) -> Bool { isWatcher && json && isSubscribed(to: device) }

    /// Returns whether the client subscribes to sentences of a device.
    func wantsSentences(of device: String) -> Bool { isWatcher && (nmea || raw > 0) && isSubscribed(to: device) }

    /// Returns whether the client subscribes to a device at all.
    func isSubscribed(to device: String) -> Bool { isWatcher && (self.device == nil || self.device == device) }

    /// Applies the members of an object. Missing ones are unchanged, except enable (true) and device (all).
    mutating func read(_ bytes: some Collection<UInt8>) throws(Failure) {
        isWatcher = true
        device = nil
        guard bytes.first == UInt8(ascii: "{") else {
            throw Failure(reason: "non-whitespace when expecting object start")
        }
        var reader = JSONReader(bytes, isStrict: false)
        do throws(ReadError) {
            _ = try reader.next()
            var isEmpty = true
            while try reader.nextKey() {
                isEmpty = false
                try member(&reader)
            }
            if isEmpty { throw reader.error("non-whitespace when expecting attribute start") }
        } catch {
            throw Failure(reason: error.reason)
        }
    }

    private mutating func member(_ reader: inout JSONReader) throws(ReadError) {
        let key = reader.text
        let token = try reader.next()
        let isTrue = token == .true
        switch key {
        case "enable": isWatcher = isTrue
        case "json": json = isTrue
        case "nmea": nmea = isTrue
        case "raw": raw = token == .number ? Int(exactly: reader.number) ?? 0 : 0
        case "scaled": scaled = isTrue
        case "timing": timing = isTrue
        case "split24": split24 = isTrue
        case "pps": pps = isTrue
        case "device": if token == .string, !reader.text.isEmpty { device = reader.text }
        default: break
        }
        try reader.skip(token)
    }
}
