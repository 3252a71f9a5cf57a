#if Command
/// The result of a check.
struct DoctorFinding {
    /// The subject of a check, in the order of the report.
    enum Area: String { case position, permission, background, saving, crashes }

    /// The problem, if there is one.
    struct Problem {
        /// The probable cause.
        var cause: String
        /// The remedy.
        var remedy: String
    }

    var area: Area
    /// The result in one line.
    var text: String
    /// The problem; `nil` if all is well.
    var problem: Problem?

    static func fine(_ area: Area, _ text: String) -> DoctorFinding { DoctorFinding(area: area, text: text) }

    static func wrong(_ area: Area, _ text: String, cause: String, remedy: String) -> DoctorFinding {
        DoctorFinding(area: area, text: text, problem: Problem(cause: cause, remedy: remedy))
    }

    /// One line, and two more if there is a problem.
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
