package import Taffrail
internal import TaffrailText

/// Writes sentences to stdout.
package final class NMEAStandardOutputLine: NMEALine {
    package let name = "standard output"
    package let listeners: Int? = nil
    package let isDrained = true
    package let leadIn = Duration.zero

    package init() {}

    package func send(_ bytes: [UInt8]) throws(SystemError) {
        try FileDescriptor.duplicate(1, path: name).write(bytes)
    }

    package func close() {}
}
