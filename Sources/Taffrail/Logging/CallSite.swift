/// Where a log call stands in the source: constants, in three words.
@usableFromInline
struct CallSite {
    @usableFromInline
    let file: UnsafePointer<UInt8>?
    @usableFromInline
    let function: UnsafePointer<UInt8>?
    /// The lengths of the file's and the function's name, 16 bits each, and the line, 32.
    @usableFromInline
    let numbers: UInt64

    @inlinable
    @inline(__always)
    init(_ file: StaticString, _ function: StaticString, _ line: UInt) {
        self.file = file.hasPointerRepresentation ? file.utf8Start : nil
        self.function = function.hasPointerRepresentation ? function.utf8Start : nil
        numbers =
            UInt64(truncatingIfNeeded: file.shortLength) | UInt64(truncatingIfNeeded: function.shortLength) &<< 16
            | UInt64(UInt32(truncatingIfNeeded: line)) &<< 32
    }

    var fileLength: Int { @inline(__always) get { Int(UInt16(truncatingIfNeeded: numbers)) } }
    var functionLength: Int { @inline(__always) get { Int(UInt16(truncatingIfNeeded: numbers &>> 16)) } }
    var line: UInt32 { @inline(__always) get { UInt32(truncatingIfNeeded: numbers &>> 32) } }
}

extension StaticString {
    /// The length of a constant that can stand in a record: at most 65,535 bytes, and not a lone scalar.
    @inlinable
    var shortLength: Int {
        @inline(__always) get {
            hasPointerRepresentation && utf8CodeUnitCount <= 65_535 ? utf8CodeUnitCount : 0
        }
    }
}
