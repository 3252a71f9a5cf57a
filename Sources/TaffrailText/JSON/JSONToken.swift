/// A token of a JSON text.
package enum JSONToken: Sendable, Hashable {
    case beginObject, endObject, beginArray, endArray
    /// A member's name; its value is the next token.
    case key
    case string, number, `true`, `false`, null
    /// The end of the input.
    case end
}
