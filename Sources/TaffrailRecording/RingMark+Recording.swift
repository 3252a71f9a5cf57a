internal import Taffrail
internal import TaffrailText

/// The mark of a recording: a separate member of the file with the events, so that the two agree after a crash. Ending
/// the recording removes it.
extension RingMark {
    /// The member's name.
    static let member: StaticString = "taffrail"

    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "\"\(Self.member)\":{\"run\":\"\(run)\",\"position\":\"\(position)\"},".utf8)
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
