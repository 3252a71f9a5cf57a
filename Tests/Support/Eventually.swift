internal import Glibc

/// Polls until a condition holds, for at most a minute. Other tests continue meanwhile.
package func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    var tries = 0
    // On a busy machine a sleep may take as long as all of the time.
    while ContinuousClock.now < end || tries < 300 {
        if try await condition() { return true }
        tries += 1
        // What the condition waits for may be a task, behind all tests that share the threads of tasks: a try has its turn there.
        await Task.detached {}.value
        // Frequently at first; then rarely enough to leave the machine to others.
        do { try await Task.sleep(for: .milliseconds(tries < 20 ? 1 : 10)) } catch { break }
    }
    return try await condition()
}

/// Looks every few milliseconds whether something is so, on a thread that may block.
///
/// - Returns: Whether it was within the time.
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
