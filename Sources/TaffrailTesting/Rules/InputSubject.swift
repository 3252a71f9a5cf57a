public import Taffrail

/// An input under test and its source, provided to ``InputRule`` by the author of the input.
///
///     final class PipeSubject: InputSubject {
///         let pipe = LinePipe()
///         func makeInput() throws -> any Input { LineInput(pipe.path) }
///         func give(_ count: Int) async throws -> [String] { try pipe.write(count) }
///     }
///
/// Each rule gets its own subject.
public protocol InputSubject: AnyObject {
    /// Creates an input for this subject's source. Called once or more; one input runs at a time.
    func makeInput() throws -> any Input

    /// Makes the source provide `count` records, and returns the messages that the input logs for them, in order.
    ///
    /// Called while the input runs. If data provided before the input is connected would be lost, this waits until it
    /// is connected.
    func give(_ count: Int) async throws -> [String]

    /// Makes the source unavailable until ``restore()``: a server is stopped, a cable unplugged. Returns `false` (the
    /// default) if that is not possible; the rules about failures then do not apply.
    func interrupt() async throws -> Bool

    /// Ends the failure started by ``interrupt()``. Default: does nothing.
    func restore() async throws

    /// Ends the source if it has an end, as a file has. Returns `false` (the default) for a source without one.
    func end() async throws -> Bool
}

extension InputSubject {
    /// `false`: not possible.
    public func interrupt() async throws -> Bool { false }
    /// Does nothing.
    public func restore() async throws {}
    /// `false`: it has no end.
    public func end() async throws -> Bool { false }
}
