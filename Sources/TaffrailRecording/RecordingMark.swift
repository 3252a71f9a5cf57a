package import Taffrail
internal import TaffrailText

/// The recorded position of a queue. It is in the file with the events, as a separate member, so that the two agree
/// after a crash; ending the recording removes it.
package struct RecordingMark: Sendable, Hashable {
    /// The queue's run.
    package var run: RingID
    /// The position in the queue after the last record in the file.
    package var position: UInt64

    package init(run: RingID, position: UInt64) {
        self.run = run
        self.position = position
    }

    /// The member's name.
    static let name: StaticString = "taffrail"

    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "\"\(Self.name)\":{\"run\":\"\(run)\",\"position\":\"\(position)\"},".utf8)
    }

    init(_ reader: inout JSONReader) throws(ReadError) {
        self.init(run: .none, position: 0)
        guard try reader.enterObject() else { return }
        while try reader.nextKey() {
            if reader.isText("run") {
                run = try reader.optionalText().flatMap { RingID($0) } ?? .none
            } else if reader.isText("position") {
                position = try reader.optionalText().flatMap { UInt64($0) } ?? 0
            } else {
                try reader.skipValue()
            }
        }
    }
}
