internal import Taffrail
internal import TaffrailText

/// `POST /control/NAME`: a command to a plugin, like those of `taffrail ctl NAME`. The body is a JSON object
/// with `command` and the command's arguments.
struct ControlRequest: Sendable {
    /// The name of the plugin's instance.
    let instance: String
    /// The command.
    let command: ControlCommand

    /// Whether the command only reads, according to its name.
    var isReading: Bool { ["status", "show"].contains(command.name) }

    /// The prefix of the paths.
    static let prefix = "/control/"

    /// Parses a request.
    init(_ request: ServerRequest) throws(Problem) {
        instance = String(request.target.path.dropFirst(Self.prefix.count))
        guard !instance.isEmpty, !instance.contains("/") else { throw Problem.notFound }
        guard request.mediaType == "application/json" else {
            throw Problem(415, "the content type must be application/json")
        }
        let fields = try JSONFields(request.body)
        var command = ControlCommand(try fields.requiredText("command"))
        command.arguments = fields.entries.filter { $0.key != "command" }
        command.isRemote = true
        self.command = command
    }

    /// Returns the response with the names of the instances that accept commands.
    static func instances(of pipeline: Pipeline) -> ServerAnswer {
        let names = pipeline.commandedInstances.map { LogValue.string($0) }
        return .json([LogValueEntry("instances", .array(names))])
    }

    /// Sends the command, and waits for its result.
    func answer(of pipeline: Pipeline) -> ServerAnswer {
        guard pipeline.commandedInstances.contains(instance) else {
            return Problem(404, "\"\(instance)\" does not accept commands").answer
        }
        do {
            let result = try pipeline.execute(command, by: instance)
            if let problem = result.problem { return Problem(422, problem).answer }
            return .json(result.fields)
        } catch {
            return Problem(422, "\(error)").answer
        }
    }
}
