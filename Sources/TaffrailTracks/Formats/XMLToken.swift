/// A token of an XML text.
enum XMLToken: Sendable, Hashable {
    /// The start of an element, with a name and attributes.
    case start
    /// Characters of the current element.
    case text
    /// The end of the element.
    case end
    /// The end of the document.
    case finish
}
