internal import Taffrail

/// The connection of a client, for actions that must end when the client disconnects.
package final class ClientConnection: Sendable {
    private struct State {
        var isClosed = false
        var whenClosed: (@Sendable () -> Void)?
    }

    /// The client's address, without the port; empty if it has none.
    package let address: String
    private let state = Locked(State())

    /// Creates an open connection.
    package init(address: String) { self.address = address }

    /// Whether the client has disconnected, or closed its sending side so late that it most likely has.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Sets the action to run when the client disconnects, or at once if it already has. `nil` removes the action.
    func whenClosed(_ action: (@Sendable () -> Void)?) {
        let isClosed = state.withLock { state in
            state.whenClosed = state.isClosed ? nil : action
            return state.isClosed
        }
        if isClosed { action?() }
    }

    /// Records that the client has disconnected.
    func close() {
        let action = state.withLock { state in
            state.isClosed = true
            defer { state.whenClosed = nil }
            return state.whenClosed
        }
        action?()
    }
}
