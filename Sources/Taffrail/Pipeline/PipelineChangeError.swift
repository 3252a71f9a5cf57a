/// The reason why a pipeline was not changed.
package struct PipelineChangeError: Error, CustomStringConvertible {
    /// The part that could not be created; `nil` if no part is to blame.
    package let part: String?
    package let reason: String

    package init(part: String?, reason: String) {
        self.part = part
        self.reason = reason
    }

    package var description: String { part.map { "\($0): \(reason)" } ?? reason }
}
