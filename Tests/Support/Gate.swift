internal import Taffrail

/// Admits a limited number of tasks at a time; the others wait in order, without a thread, tasks with priority first.
package final class Gate: Sendable {
    private struct State {
        var free: Int
        var first: [CheckedContinuation<Void, Never>] = []
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func next() -> CheckedContinuation<Void, Never>? {
            if !first.isEmpty { return first.removeFirst() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }

    private let state: Locked<State>

    package init(_ width: Int) { state = Locked(State(free: width)) }

    package func enter(hasPriority: Bool = false) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    if hasPriority { state.first.append(continuation) } else { state.waiting.append(continuation) }
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    package func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if let next = state.next() { return next }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
