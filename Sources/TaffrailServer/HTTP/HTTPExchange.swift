#if Server
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Taffrail
internal import TaffrailText

/// Reads requests from connections, within limits, and writes the application's responses.
struct HTTPExchange: Sendable {
    private let application: any ServerApplication
    private let memory: MemoryBudget
    private let connections: OpenConnections

    init(_ application: any ServerApplication, _ memory: MemoryBudget, _ connections: OpenConnections) {
        self.application = application
        self.memory = memory
        self.connections = connections
    }

    /// How long the rest of a refused body is read. Closing a connection with unread bytes resets it, and clients that
    /// are still sending would not receive the response.
    private static let lingering = TimeAmount.seconds(2)

    /// The compression ratio of gzip is always lower.
    private static let longestRatio = 1_100

    /// Thrown to close a connection.
    private struct Closing: Error {}

    /// Answers a request.
    ///
    /// - Parameter channel: The connection.
    /// - Throws: To close the connection, after the response to a request whose body was not read.
    @concurrent func answer(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let isHead = request.method == .head
        let fields = request.head.headerFields
        // The client waits for permission to send the body.
        var isWaiting = fields[.expect]?.lowercased() == "100-continue"
        var isWholeRead = fields[.contentLength] ?? "0" == "0" && fields[.transferEncoding] == nil
        var answer: ServerAnswer
        let share = MemoryShare(of: memory)
        var body = request.body.makeAsyncIterator()
        let connection = connections[channel]
        do throws(Problem) {
            guard let target = ServerTarget(request.head.path ?? "") else { throw .bad("the target is not a path") }
            var incoming = ServerRequest(request.method.rawValue, target, headers: Self.headers(of: request.head))
            incoming.connection = connection
            let route = try application.route(incoming)
            let length = try Self.length(of: incoming)
            guard length ?? 0 <= route.bodyLimit else { throw Self.tooLarge(route.bodyLimit) }
            if length != 0, isWaiting {
                isWaiting = false
                do { try await writer.writeInformationalHead(HTTPResponse(status: .continue)) } catch {
                    throw .bad("the connection is closed")
                }
            }
            let bytes = try await read(&body, length: length, limit: route.bodyLimit, share)
            isWholeRead = true
            let coding = incoming.header("content-encoding")
            let reserved = coding == nil ? 0 : min(route.bodyLimit, bytes.count * Self.longestRatio)
            try share.take(reserved)
            incoming.body = try BodyDecoding.decoded(bytes, coding, limit: route.bodyLimit)
            if coding != nil { share.give(max(0, reserved - incoming.body.count)) }
            incoming.memory = share
            answer = await route.answer(incoming)
        } catch {
            answer = error.answer
        }
        application.answered(answer.status)
        if !isWholeRead { answer.headers.append(("connection", "close")) }
        if let stream = answer.stream {
            connection.whenClosed(stream.end)
            defer {
                connection.whenClosed(nil)
                stream.end()
            }
            await channel.limitUnsentBytes()
            try await write(answer, isHead: isHead, to: writer, channel.eventLoop)
        } else {
            try await write(answer, isHead: isHead, to: writer, channel.eventLoop)
        }
        guard !isWholeRead else { return }
        guard !isWaiting else { throw Closing() }
        let end = channel.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
        defer { end.cancel() }
        while try await body.next() != nil {}
        throw Closing()
    }

    private static func tooLarge(_ limit: Int) -> Problem {
        Problem(413, "the body may have at most \(limit) bytes")
    }

    /// Returns the length of the body; `nil` if it is sent in chunks.
    private static func length(of request: ServerRequest) throws(Problem) -> Int? {
        guard let text = request.header("content-length") else {
            return request.header("transfer-encoding") == nil ? 0 : nil
        }
        guard let length = Int(text), length >= 0 else { throw .bad("Content-Length is not a number") }
        return length
    }

    @concurrent private func read(
        _ body: inout RequestBody.AsyncIterator, length: Int?, limit: Int, _ share: MemoryShare
    ) async throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while let buffer = try await body.next() {
                guard bytes.count + buffer.readableBytes <= limit else { throw Self.tooLarge(limit) }
                try share.take(buffer.readableBytes)
                bytes.append(contentsOf: buffer.readableBytesView)
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .bad("the body cannot be read")
        }
        guard length.map({ $0 == bytes.count }) ?? true else {
            throw .bad("the length of the body differs from Content-Length")
        }
        return bytes
    }

    private static func headers(of head: HTTPRequest) -> [(name: String, value: String)] {
        var headers = head.headerFields.map { (name: $0.name.canonicalName, value: $0.value) }
        // The host is not among the other headers.
        if let host = head.authority { headers.append(("host", host)) }
        return headers
    }

    @concurrent private func write(
        _ answer: ServerAnswer, isHead: Bool, to writer: consuming ResponseWriter, _ loop: any EventLoop
    ) async throws {
        var fields = HTTPFields()
        for header in answer.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        fields[.date] = HTTPDate.text(.now)
        let hasBody = answer.status != 204 && answer.status != 304
        if hasBody, answer.stream == nil { fields[.contentLength] = "\(answer.body.count)" }
        let head = HTTPResponse(status: .init(code: answer.status), headerFields: fields)
        if let stream = answer.stream, !isHead {
            let body = ResponseBody { writer in
                while let bytes = await stream.next() {
                    try await writer.write(bytes.buffer)
                    // The connection detects on its own thread that a client has stopped reading. Until then, it would
                    // buffer everything.
                    try await loop.submit {}.get()
                }
                try await writer.finish(nil)
            }
            return try await writer.write(response: head, body: body)
        }
        let body = isHead || !hasBody ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        try await writer.write(response: head, body: body)
    }
}
#endif
