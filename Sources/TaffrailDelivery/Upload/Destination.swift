/// The destination of a spool's records.
package protocol Destination: AnyObject, Sendable {
    /// Sends a batch and waits for the response. Called on the uploader's thread only.
    func send(_ batch: SpoolBatch) -> Attempt

    /// Makes a waiting ``send(_:)`` return soon. Any thread may call; no call of `send` follows.
    func interrupt()
}
