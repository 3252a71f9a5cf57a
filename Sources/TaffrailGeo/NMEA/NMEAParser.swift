public import Taffrail
internal import TaffrailText

/// Reads NMEA 0183: GGA, RMC, GSA, VTG, GST, GLL, GNS and ZDA, of any talker, into one report an epoch.
///
/// Sentences of the same time of day are one epoch. It is reported when the next one starts, or, with
/// ``Options/isLive``, as soon as the sentence has come that used to be a round's last. Days are taken from RMC and
/// ZDA and counted on over midnight in between. Wrong checksums, unknown sentences and binary data are counted and
/// passed over. A value without locks: one for each stream of bytes.
public struct NMEAParser: Sendable {
    /// How a stream is read.
    public struct Options: Sendable, Hashable {
        /// The name of the receiver, for the reports.
        public var device: String?
        /// Days before this are taken for a week counter that has rolled over, and moved on by as many times 1024
        /// weeks as needed. `nil`, the default, believes every day: right for old files, wrong for live receivers.
        public var notBefore: Timestamp?
        /// Whether an epoch is reported without waiting for the next one, once the order of sentences is known.
        public var isLive: Bool

        /// Makes options.
        public init(device: String? = nil, notBefore: Timestamp? = nil, isLive: Bool = false) {
            self.device = device
            self.notBefore = notBefore
            self.isLive = isLive
        }
    }

    /// What has come in so far.
    public struct Counts: Sendable, Hashable {
        /// Sentences that were understood.
        public var sentences = 0
        /// Sentences whose checksum did not fit.
        public var wrongChecksums = 0
        /// Sentences of other kinds.
        public var unknown = 0
        /// Lines that were no sentences at all.
        public var malformed = 0
        /// Epochs reported.
        public var epochs = 0
    }

    /// A knot in metres a second.
    static let metresPerSecondPerKnot = 1_852.0 / 3_600
    /// What gpsd takes a horizontal and a vertical dilution of 1 for, in metres.
    static let metresPerHDOP = 19.0
    static let metresPerVDOP = 23.0
    /// For how long a GSA's mode and dilutions count when a round has none, in nanoseconds.
    private static let dilutionLife = 10_000_000_000
    private static let day = 86_400_000_000_000
    /// The sentences that have a position.
    private static let positions: Set<NMEAKind> = [.gga, .rmc, .gll, .gns]

    /// The sentences that have a time.
    private static let timed: Set<NMEAKind> = [.gga, .rmc, .gll, .gns, .gst, .zda]

    private let options: Options
    /// What has come in so far.
    public private(set) var counts = Counts()
    private var lines = LineSplitter(limit: 1_024)
    /// When the bytes came that were read last.
    private var received: Timestamp?
    private var epoch: NMEAEpoch?
    private var isReported = false
    private var lastKind: NMEAKind?
    /// The kind that ended the last epoch, and how often in a row it did.
    private var ender: (kind: NMEAKind, times: Int)?
    private var lastDay: (date: CivilTime, timeOfDay: Int)?
    private var lastDilution: (NMEAEpoch.Dilution, PositionReport.Mode?, timeOfDay: Int)?

    /// Starts a stream.
    public init(_ options: Options = Options()) { self.options = options }

    /// Takes bytes as they come, in pieces of any size, and calls `report` for each epoch that is complete.
    ///
    /// - Parameter received: When they came; the time of fixes whose receiver gives no day.
    public mutating func read(
        _ bytes: some Sequence<UInt8>, received: Timestamp = .now, report: (PositionReport) -> Void
    ) {
        self.received = received
        for byte in bytes {
            guard let line = lines.take(byte) else { continue }
            read(line: line, received: received, report: report)
        }
    }

    /// Whether an epoch is under way that has not been reported.
    public var hasPending: Bool { epoch != nil && !isReported }

    /// Reports the epoch under way: the line has been quiet for a while.
    public mutating func flush(report: (PositionReport) -> Void) { self.report(report) }

    /// Reports the epoch under way, and takes what is left of a line for a whole one: at the end of the input.
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
        counts.sentences += 1
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

    /// Whether a sentence belongs to another moment than the epoch under way.
    private func startsEpoch(_ kind: NMEAKind, _ time: Int?) -> Bool {
        guard let epoch else { return true }
        if let time, let started = epoch.timeOfDay { return time != started }
        // Sentences that should have had a time and had none are of the spell before it was known.
        if time != nil, !epoch.types.isDisjoint(with: Self.timed) { return true }
        // GSA has no time. Where a round begins with it, it comes again behind the round's positions.
        if kind == .gsa && lastKind != .gsa && epoch.types.contains(.gsa) {
            return !epoch.types.isDisjoint(with: Self.positions)
        }
        // Without times, a round is over when a sentence with a position comes again.
        return time == nil && Self.timeField(kind) != nil && epoch.types.contains(kind)
    }

    /// Remembers what came last in a round. GSA comes several times a round, so that it cannot tell the end.
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
        if let last = lastDilution, let now = epoch.timeOfDay,
            (now - last.timeOfDay + Self.day) % Self.day < Self.dilutionLife
        {
            if mode == nil && last.1 != .noFix { mode = last.1 }
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

    /// The moment of an epoch: its own day, or the last known one counted on.
    private mutating func timestamp(_ epoch: NMEAEpoch) -> Timestamp? {
        guard let timeOfDay = epoch.timeOfDay else { return nil }
        let date: CivilTime
        if let named = epoch.date {
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
        if sentence.says("GGA") { return .gga }
        if sentence.says("RMC") { return .rmc }
        if sentence.says("GSA") { return .gsa }
        if sentence.says("VTG") { return .vtg }
        if sentence.says("GLL") { return .gll }
        if sentence.says("GNS") { return .gns }
        if sentence.says("ZDA") { return .zda }
        return sentence.says("GST") ? .gst : nil
    }

    /// The field that has the time of day.
    private static func timeField(_ kind: NMEAKind) -> Int? {
        switch kind {
        case .gga, .rmc, .gst, .gns, .zda: 1
        case .gll: 5
        case .gsa, .vtg: nil
        }
    }
}
