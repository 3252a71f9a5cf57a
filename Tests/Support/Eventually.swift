/// Asks again and again until something is so, for at most a minute: then it is not. Other tests go on meanwhile.
package func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    var tries = 0
    // On a busy machine a sleep may take as long as all of the time.
    while ContinuousClock.now < end || tries < 300 {
        if try await condition() { return true }
        tries += 1
        // Often at first, for what is there at once; then seldom enough to leave the machine to others.
        do { try await Task.sleep(for: .milliseconds(tries < 20 ? 1 : 10)) } catch { break }
    }
    return try await condition()
}
