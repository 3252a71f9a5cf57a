internal import Taffrail

extension [UInt8] {
    /// Collects the bytes that `read` stores at the start of its buffer, until it returns 0, at most `limit` of them.
    init(limit: Int, read: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int) throws(SystemError) {
        self = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        while count < limit {
            let got = try read(buffer)
            if got == 0 { break }
            self += buffer[..<Swift.min(got, limit - count)]
        }
    }
}
