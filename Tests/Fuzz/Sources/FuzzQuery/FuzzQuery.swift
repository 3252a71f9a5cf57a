import TaffrailQuery

/// A query from a URL: any text is parsed or refused with a place within it, and what is parsed prints as a text that parses
/// to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzQuery(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    do throws(SelectionError) {
        let selection = try LogSelection(parsing: text)
        let printed = selection.description
        // What is printed may be longer than what was read.
        guard printed.unicodeScalars.count <= LogSelection.longestText else { return 0 }
        do throws(SelectionError) {
            let again = try LogSelection(parsing: printed)
            precondition(again == selection, "the printed query is another one")
        } catch {
            preconditionFailure("the printed query is refused")
        }
    } catch {
        precondition(
            error.column >= 1 && error.column <= text.unicodeScalars.count + 1, "the error is outside of the text")
    }
    return 0
}
