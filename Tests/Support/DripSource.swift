package import Taffrail
internal import TaffrailText

/// Delivers a few bytes at a time, so that every token is split somewhere.
package final class DripSource: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let step: Int

    package init(_ bytes: [UInt8], step: Int) {
        rest = bytes[...]
        self.step = step
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let count = min(step, rest.count, buffer.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
    }
}
