internal import Glibc

/// Polls until a condition holds, for at most a minute. Other tests continue meanwhile.
package func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    var tries = 0
    // On a busy machine, a sleep may take the whole minute.
    while ContinuousClock.now < end || tries < 300 {
        if try await condition() { return true }
        tries += 1
        // The condition may depend on a task that is queued after all tests on the threads of tasks; a check takes its
        // turn there too.
        await Task.detached {}.value
        // Frequently at first, then rarely, to leave the machine to other tests.
        do { try await Task.sleep(for: .milliseconds(tries < 20 ? 1 : 10)) } catch { break }
    }
    return try await condition()
}

/// Checks a condition every few milliseconds, on a thread that may block.
///
/// - Returns: Whether the condition held in time.
package func waited(seconds: Double = 120, until condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    var tries = 0
    while ContinuousClock.now < end || tries < 300 {
        if try condition() { return true }
        tries += 1
        poll(nil, 0, 5)
    }
    return try condition()
}
