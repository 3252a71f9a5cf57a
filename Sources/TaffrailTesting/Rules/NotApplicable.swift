/// Ends a rule that the subject cannot test.
struct NotApplicable: Error {
    let text: String
}
