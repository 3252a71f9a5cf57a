/// The attributes of a record, in order, in memory that outlives this.
///
/// The innermost come first; the first of several equal names counts. In a record with more than 64 KiB of attributes,
/// duplicates of names that first appear after the 1,024th attribute are kept. The attribute `taffrail.truncated` of a
/// truncated record comes last.
struct AttributeEntries {
    private let all: UnsafeRawBufferPointer
    /// The attributes that follow, stored elsewhere in memory.
    private let others: UnsafeRawBufferPointer
    private var rest: UnsafeRawBufferPointer
    private var isAmongOthers = false
    private var isTruncated: Bool

    @inline(__always)
    init(_ all: UnsafeRawBufferPointer, then others: UnsafeRawBufferPointer, isTruncated: Bool) {
        self.all = all
        self.others = others
        rest = all
        self.isTruncated = isTruncated
    }

    /// Returns the next attribute; `nil` at the end, and after invalid bytes.
    @inline(__always)
    mutating func next() -> AttributeCodec.Entry? {
        var isInnermost = rest.baseAddress == all.baseAddress
        while true {
            while let entry = AttributeCodec.next(&rest) {
                if isInnermost || isFirst(entry.key) { return entry }
                isInnermost = false
            }
            guard others.count > 0, !isAmongOthers else { break }
            isAmongOthers = true
            rest = others
        }
        guard isTruncated else { return nil }
        isTruncated = false
        return Self.truncated
    }

    /// Returns the next attribute, for code that few records reach: it is not inlined.
    @inline(never)
    mutating func nextOutOfLine() -> AttributeCodec.Entry? { next() }

    /// Attributes with more bytes may be so many that comparing each name with all others would take minutes.
    private static let longest = 64 << 10
    /// The number of names, from the first on, with which each name is then compared.
    private static let comparedNames = 1024

    /// Returns whether no attribute before the one with this `key` has the same name.
    @inline(__always)
    private func isFirst(_ key: UnsafeRawBufferPointer) -> Bool {
        if _slowPath(all.count > Self.longest) { return isFirstOfMany(key) }
        return isFirst(key, among: all) && (!isAmongOthers || isFirst(key, among: others))
    }

    @inline(never)
    private func isFirstOfMany(_ key: UnsafeRawBufferPointer) -> Bool {
        var before = all
        for _ in 0..<Self.comparedNames {
            guard let earlier = AttributeCodec.next(&before), earlier.key.baseAddress != key.baseAddress else { break }
            if earlier.key.count == key.count && earlier.key.elementsEqual(key) { return false }
        }
        return !isAmongOthers || isFirst(key, among: others)
    }

    @inline(__always)
    private func isFirst(_ key: UnsafeRawBufferPointer, among all: UnsafeRawBufferPointer) -> Bool {
        var before = all
        while let earlier = AttributeCodec.next(&before), earlier.key.baseAddress != key.baseAddress {
            if earlier.key.count == key.count && earlier.key.elementsEqual(key) { return false }
        }
        return true
    }

    /// `taffrail.truncated=true`, a constant of the program; any byte but zero is true.
    private static var truncated: AttributeCodec.Entry {
        let name: StaticString = "taffrail.truncated"
        let key = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return AttributeCodec.Entry(kind: .bool, key: key, value: UnsafeRawBufferPointer(rebasing: key.prefix(1)))
    }
}
