internal import Taffrail

/// The saved state of a sink whose output is derived from the queue's records.
struct SpoolKept: Sendable, Equatable {
    /// The maximum length of a sink's own state, in bytes.
    static let longestState = 24 << 10

    /// Increases with each change; 0: nothing was stored.
    var generation: UInt64 = 0
    /// How far the sink has got in each run, including records for which it sends nothing.
    var marks = SpoolMarks()
    /// The sink's own state.
    var state: [UInt8] = []

    /// Returns the next state.
    ///
    /// - Parameter mark: How far the sink has got in a run; `nil`: as before.
    /// - Throws: A permanent error for a state that is too long, before any of it is written.
    func next(_ state: [UInt8], _ mark: SpoolMarks.Mark? = nil) throws(SinkError) -> SpoolKept {
        guard state.count <= Self.longestState else {
            throw SinkError(.permanent, reason: "a state has \(state.count) bytes, more than \(Self.longestState)")
        }
        var next = self
        next.generation += 1
        next.state = state
        if let mark { next.marks.set(mark) }
        return next
    }

    /// The state as stored at the end of a frame.
    var trailer: [UInt8] {
        var bytes = withUnsafeBytes(of: generation.littleEndian) { Array($0) }
        bytes += state
        return bytes
    }
}
