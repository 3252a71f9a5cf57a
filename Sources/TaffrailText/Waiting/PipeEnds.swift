internal import CTaffrail

/// The ends of a new pipe, which other programs do not inherit, not even of children forked at the same time.
package struct PipeEnds {
    package let reading: CInt
    package let writing: CInt

    /// Creates a pipe; `nil` if the system refuses one.
    package init?() {
        var ends: [CInt] = [-1, -1]
        guard taffrail_pipe(&ends) == 0 else { return nil }
        reading = ends[0]
        writing = ends[1]
    }
}
