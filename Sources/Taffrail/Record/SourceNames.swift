/// The names of a file and a function, contiguous in memory. The file name is empty if the record has no source
/// location.
struct SourceNames {
    private let base: UnsafeRawPointer
    let fileLength: Int
    private let functionLength: Int

    @inline(__always)
    init(_ base: UnsafeRawPointer, fileLength: Int, functionLength: Int) {
        self.base = base
        self.fileLength = fileLength
        self.functionLength = functionLength
    }

    var file: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: fileLength) }
    var function: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base + fileLength, count: functionLength) }
    var both: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: fileLength + functionLength) }
    /// Both lengths, 16 bits each.
    var lengths: UInt64 {
        @inline(__always) get {
            UInt64(truncatingIfNeeded: fileLength) | UInt64(truncatingIfNeeded: functionLength) &<< 16
        }
    }
}
