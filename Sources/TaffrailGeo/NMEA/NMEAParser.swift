public import Taffrail
internal import TaffrailText

/// Parses NMEA 0183: GGA, RMC, GSA, VTG, GST, GLL, GNS and ZDA, of any talker, into one report per epoch.
///
/// Sentences with the same time of day form an epoch. It is reported when the next one starts or, with
/// ``Options/isLive``, with the sentence that usually ends a round. Dates come from RMC and, from the first fix on,
/// ZDA, and advance at midnight in between. Wrong checksums, unknown sentences and binary data are counted and skipped,
/// and so are sentences that lost their checksum: sentences without one, of a talker and type that had one before,
/// unless there are several in a row. A value without locks: use one for each stream.
public struct NMEAParser: Sendable {
    /// How to read a stream.
    public struct Options: Sendable, Hashable {
        /// The name of the receiver in reports.
        public var device: String?
        /// Dates before this are due to a week number rollover, and corrected by multiples of 1024 weeks. `nil`, the
        /// default, accepts every date: right for old files, wrong for live receivers.
        public var notBefore: Timestamp?
        /// Whether to report an epoch without waiting for the next one, once the order of sentences is known.
        public var isLive: Bool

        /// Creates options.
        public init(device: String? = nil, notBefore: Timestamp? = nil, isLive: Bool = false) {
            self.device = device
            self.notBefore = notBefore
            self.isLive = isLive
        }
    }

    /// The counts of sentences, lines and epochs.
    public struct Counts: Sendable, Hashable {
        /// Supported sentences.
        public var sentences = 0
        /// Sentences with a wrong checksum.
        public var wrongChecksums = 0
        /// Sentences of other types.
        public var unknown = 0
        /// Lines that were not sentences, or not whole ones.
        public var malformed = 0
        /// Reported epochs.
        public var epochs = 0
    }

    /// gpsd's accuracies for a horizontal and a vertical dilution of 1, in metres.
    static let metresPerHDOP = 19.0
    static let metresPerVDOP = 23.0
    /// How long a GSA's mode and dilutions apply to rounds without one, in nanoseconds.
    private static let dilutionLife = 10_000_000_000
    private static let day = Int(CivilTime.dayLength)
    /// The number of successive sentences of a talker and type that may have lost their checksum. More of them show
    /// that the stream comes from another receiver, which sends no checksums.
    private static let mostCut = 3
    /// The sentences that have a position.
    private static let positions: Set<NMEAKind> = [.gga, .rmc, .gll, .gns]

    /// The sentences that have a time.
    private static let timed: Set<NMEAKind> = [.gga, .rmc, .gll, .gns, .gst, .zda]

    private let options: Options
    /// The counts of sentences, lines and epochs.
    public private(set) var counts = Counts()
    private var lines = LineSplitter(limit: 1_024)
    /// The time of receipt of the last bytes.
    private var received: Timestamp?
    private var epoch: NMEAEpoch?
    private var isReported = false
    private var lastKind: NMEAKind?
    /// The talkers with types that have had a checksum, and how many sentences without one have been skipped since: a
    /// receiver sends a checksum with all sentences of a type, or with none.
    private var checked: [String: Int] = [:]
    /// The number of sentences that can have a position, with or without one.
    private(set) var positionSentences = 0
    /// The type that ended the last epoch, and how many epochs in a row it has ended.
    private var ender: (kind: NMEAKind, times: Int)?
    /// Whether there has been a fix, after which the receiver's clock is right.
    private var hasHadFix = false
    private var lastDay: (date: CivilTime, timeOfDay: Int)?
    private var lastDilution: (NMEAEpoch.Dilution, PositionReport.Mode?, timeOfDay: Int)?

    /// Starts a stream.
    public init(_ options: Options = Options()) { self.options = options }

    /// Adds received bytes, in chunks of any size, and calls `report` for each complete epoch.
    ///
    /// - Parameters:
    ///   - bytes: The received bytes.
    ///   - received: The time of receipt, used for fixes whose receiver provides no date.
    ///   - report: Called with each report.
    public mutating func read(
        _ bytes: some Sequence<UInt8>, received: Timestamp = .now, report: (PositionReport) -> Void
    ) {
        self.received = received
        for byte in bytes {
            guard let line = lines.take(byte) else { continue }
            read(line: line, received: received, report: report)
        }
    }

    /// Whether an epoch has not been reported yet.
    public var hasPending: Bool { epoch != nil && !isReported }

    /// Reports the current epoch, after a pause.
    public mutating func flush(report: (PositionReport) -> Void) { self.report(report) }

    /// Reports the current epoch, and parses an unterminated line, at the end of the input.
    public mutating func finish(report: (PositionReport) -> Void) {
        if let line = lines.finish() { read(line: line, received: received ?? .now, report: report) }
        close(report)
    }

    private mutating func read(line: [UInt8], received: Timestamp, report: (PositionReport) -> Void) {
        let sentence: NMEASentence
        do {
            sentence = try NMEASentence(line)
        } catch {
            if error == .checksum { counts.wrongChecksums += 1 } else { counts.malformed += 1 }
            return
        }
        guard let kind = Self.kind(sentence) else {
            counts.unknown += 1
            return
        }
        let name = sentence.text(0)
        if sentence.hasChecksum {
            checked[name] = 0
        } else if let bare = checked[name], bare < Self.mostCut {
            // The sentence has been cut, and its last value with it.
            checked[name] = bare + 1
            counts.malformed += 1
            return
        }
        counts.sentences += 1
        if Self.positions.contains(kind) { positionSentences += 1 }
        let time = Self.timeField(kind).flatMap { sentence.timeOfDay($0) }
        if startsEpoch(kind, time) {
            learnEnder()
            close(report)
            epoch = NMEAEpoch(timeOfDay: time, received: received)
            isReported = false
        }
        if epoch == nil { epoch = NMEAEpoch(received: received) }
        if epoch?.timeOfDay == nil { epoch?.timeOfDay = time }
        epoch?.take(kind, sentence)
        lastKind = kind
        if options.isLive, let ender, ender.times >= 2, ender.kind == kind { self.report(report) }
    }

    /// Returns whether a sentence belongs to a different epoch than the current one.
    private func startsEpoch(_ kind: NMEAKind, _ time: Int?) -> Bool {
        guard let epoch else { return true }
        if let time, let started = epoch.timeOfDay { return time != started }
        // Sentences with a missing time belong to the period before it was known.
        if time != nil, !epoch.types.isDisjoint(with: Self.timed) { return true }
        // GSA has no time. If a round starts with it, it repeats after the round's positions.
        if kind == .gsa && lastKind != .gsa && epoch.types.contains(.gsa) {
            return !epoch.types.isDisjoint(with: Self.positions)
        }
        // Without times, a round ends when a sentence with a position repeats.
        return time == nil && Self.timeField(kind) != nil && epoch.types.contains(kind)
    }

    /// Stores the last type of a round. GSA occurs several times in a round, so it cannot mark the end.
    private mutating func learnEnder() {
        guard let lastKind, epoch != nil else { return }
        if lastKind == .gsa {
            ender = nil
        } else if ender?.kind == lastKind {
            ender?.times += 1
        } else {
            ender = (lastKind, 1)
        }
    }

    private mutating func close(_ report: (PositionReport) -> Void) {
        self.report(report)
        epoch = nil
        isReported = false
    }

    private mutating func report(_ report: (PositionReport) -> Void) {
        guard let epoch, !isReported, !epoch.types.isDisjoint(with: Self.positions) else { return }
        isReported = true
        counts.epochs += 1
        let time = timestamp(epoch)
        var dilution = epoch.dilution
        var mode = epoch.mode
        // A round with a GSA uses its dilutions, even if they are unknown.
        if mode == nil, let last = lastDilution, let now = epoch.timeOfDay,
            (now - last.timeOfDay + Self.day) % Self.day < Self.dilutionLife
        {
            if last.1 != .noFix { mode = last.1 }
            dilution.horizontal = dilution.horizontal ?? last.0.horizontal
            dilution.vertical = dilution.vertical ?? last.0.vertical
            dilution.position = dilution.position ?? last.0.position
        }
        if epoch.mode != nil, let now = epoch.timeOfDay { lastDilution = (epoch.dilution, epoch.mode, now) }
        if mode == .twoD && epoch.hasGoodAltitude { mode = .threeD }
        let settled = mode ?? (epoch.altitude == nil ? .twoD : .threeD)
        report(
            PositionReport(
                device: options.device, time: time, mode: settled,
                location: epoch.location(time: time, mode: settled, dilution: dilution, device: options.device)))
    }

    /// Returns the time of an epoch: with its own date, or the last known one advanced.
    private mutating func timestamp(_ epoch: NMEAEpoch) -> Timestamp? {
        hasHadFix = hasHadFix || epoch.hasFix
        guard let timeOfDay = epoch.timeOfDay else { return nil }
        let date: CivilTime
        if let named = hasHadFix ? epoch.clockDate ?? epoch.date : epoch.date {
            date = named
        } else if let last = lastDay {
            var midnight = last.date.secondsSince1970
            if timeOfDay < last.timeOfDay - Self.day / 2 { midnight += 86_400 }
            if timeOfDay > last.timeOfDay + Self.day / 2 { midnight -= 86_400 }
            date = CivilTime(secondsSince1970: midnight)
        } else {
            return nil
        }
        lastDay = (date, timeOfDay)
        var nanoseconds = date.secondsSince1970 * 1_000_000_000 + Int64(timeOfDay)
        if let earliest = options.notBefore?.nanoseconds, nanoseconds < earliest {
            let rollover = 1_024 * 7 * Int64(Self.day)
            nanoseconds += (earliest - nanoseconds + rollover - 1) / rollover * rollover
        }
        return Timestamp(nanoseconds: nanoseconds)
    }

    private static func kind(_ sentence: NMEASentence) -> NMEAKind? {
        if sentence.hasType("GGA") { return .gga }
        if sentence.hasType("RMC") { return .rmc }
        if sentence.hasType("GSA") { return .gsa }
        if sentence.hasType("VTG") { return .vtg }
        if sentence.hasType("GLL") { return .gll }
        if sentence.hasType("GNS") { return .gns }
        if sentence.hasType("ZDA") { return .zda }
        return sentence.hasType("GST") ? .gst : nil
    }

    /// Returns the index of the field with the time of day.
    private static func timeField(_ kind: NMEAKind) -> Int? {
        switch kind {
        case .gga, .rmc, .gst, .gns, .zda: 1
        case .gll: 5
        case .gsa, .vtg: nil
        }
    }
}
