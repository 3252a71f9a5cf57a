internal import CTaffrail

/// A memory barrier on all threads of the process, paid for by the caller (`membarrier(2)`).
///
/// It allows the writer to sleep without a fence in every log call.
enum Membarrier {
    /// Whether the kernel supports it. Some containers forbid it; the writer then polls ten times a second.
    static let isAvailable = taffrail_membarrier_register() == 0

    /// Orders the memory accesses of all threads before and after this call.
    static func run() {
        if isAvailable { taffrail_membarrier() }
    }
}
