#if Store
package import Taffrail

/// A store into which a sink saves.
package protocol SinkStore: AnyObject, Sendable {
    static func at(_ path: String) -> Self
    var status: [LogValueEntry] { get }
    func open(waiting limit: Duration) throws(StoreError)
    func flush() throws(StoreError)
    func close() throws(StoreError)
    func position(in ring: RingID) -> UInt64?
    func execute(_ command: ControlCommand) throws -> ControlCommand.Answer
}
#endif
