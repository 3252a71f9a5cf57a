import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailServer

@Suite(.mayBlock) struct QueryServiceTests {
    /// A store whose list of devices is complete only when the query must end.
    private final class SlowStore: LogQuery {
        struct State {
            var isAsked = false
            var hasEnded = false
        }
        let state = Locked(State())

        func records(_ request: RecordRequest) throws(LogQueryError) -> RecordPage { RecordPage(records: []) }

        func records(
            around id: String, before: Int, after: Int, matching selection: LogSelection
        ) throws(LogQueryError) -> RecordSurroundings? { nil }

        func histogram(_ request: HistogramRequest) throws(LogQueryError) -> Histogram {
            Histogram(interval: .seconds(1), buckets: [], total: 0)
        }

        func values(_ request: ValuesRequest) throws(LogQueryError) -> FieldValues {
            FieldValues(values: [], distinct: 0)
        }

        func devices() throws(LogQueryError) -> [LogDevice] {
            state.withLock { $0.isAsked = true }
            let hasEnded = waited { QueryBudget.current?.isOver == true }
            state.withLock { $0.hasEnded = hasEnded }
            return []
        }
    }

    private func service(_ store: SlowStore) -> QueryService {
        QueryService(LogAPI(logs: { () throws(LogQueryError) -> any LogQuery in store }), time: .seconds(3_600))
    }

    private func request(_ connection: ClientConnection) throws -> ServerRequest {
        var request = ServerRequest("GET", try #require(ServerTarget("/api/devices")), headers: [])
        request.connection = connection
        return request
    }

    @Test func `a query ends when its client disconnects`() async throws {
        let store = SlowStore()
        let connection = ClientConnection(address: "192.0.2.1")
        let (service, request) = (service(store), try request(connection))
        let answer = Task { try await service.answer(request).status }
        #expect(await eventually { store.state.withLock { $0.isAsked } })
        connection.close()
        #expect(try await answer.value == 200)
        #expect(store.state.withLock { $0.hasEnded })
    }

    @Test func `a query ends at once if its client has already disconnected`() async throws {
        let store = SlowStore()
        let connection = ClientConnection(address: "192.0.2.1")
        connection.close()
        #expect(try await service(store).answer(request(connection)).status == 200)
        #expect(store.state.withLock { $0.isAsked && $0.hasEnded })
    }
}
