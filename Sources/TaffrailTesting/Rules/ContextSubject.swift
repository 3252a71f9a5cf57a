public import Taffrail

/// A context provider under test, provided to ``ContextRule`` by the author of the provider.
///
///     final class WatchSubject: ContextSubject {
///         let crew = Crew()
///         func makeProvider() throws -> any ContextProvider { WatchContext(crew) }
///         func change() async throws -> [LogValueEntry] { [LogValueEntry("watch", .string(crew.changeWatch()))] }
///     }
///
/// Each rule gets its own subject.
public protocol ContextSubject: AnyObject {
    /// Creates a provider. Called once.
    func makeProvider() throws -> any ContextProvider

    /// Changes the provided attributes, and returns the attributes that records then have, sorted by name.
    func change() async throws -> [LogValueEntry]
}
