internal import CTaffrail

/// A barrier on all threads of the process, paid for by the one who asks (`membarrier(2)`).
///
/// It lets the writer go to sleep without a fence in every log call.
enum Membarrier {
    /// Whether the kernel offers it; some containers forbid it, and then the writer looks ten times a second.
    static let isAvailable = taffrail_membarrier_register() == 0

    /// Orders memory accesses of all threads before and after this moment.
    static func run() {
        if isAvailable { taffrail_membarrier() }
    }
}
