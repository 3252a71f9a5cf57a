#if Command
/// What a check has found.
struct DoctorFinding {
    /// What a check is about, in the order in which people look.
    enum Area: String, CaseIterable { case position, permission, background, saving, crashes }

    /// What is wrong, if anything is.
    struct Problem {
        /// Why it is probably so.
        var cause: String
        /// What to do.
        var remedy: String
    }

    var area: Area
    /// What was found, in a line.
    var text: String
    /// `nil` where all is well.
    var problem: Problem?

    static func fine(_ area: Area, _ text: String) -> DoctorFinding { DoctorFinding(area: area, text: text) }

    static func wrong(_ area: Area, _ text: String, cause: String, remedy: String) -> DoctorFinding {
        DoctorFinding(area: area, text: text, problem: Problem(cause: cause, remedy: remedy))
    }

    /// A line, and with a problem two more.
    var lines: [String] {
        let area = area.rawValue + String(repeating: " ", count: 12 - area.rawValue.count)
        guard let problem else { return ["\(area)ok       \(text)"] }
        let indent = String(repeating: " ", count: 12)
        return [
            "\(area)PROBLEM  \(text)", "\(indent)cause    \(problem.cause)", "\(indent)remedy   \(problem.remedy)",
        ]
    }
}
#endif
