public import Taffrail
internal import TaffrailQuery
internal import TaffrailText

/// Logs the alerts of the sink `alerts`, and raises alerts that are due because no records arrive.
///
/// A sink cannot log into its own pipeline; this input logs the contents of the sink's file. Alerts that an earlier run
/// raised but did not log are logged after that run's records have been written, so that no alert is logged twice.
public final class AlertsInput: Input {
    private let book: AlertBook
    /// The time between two checks for due alerts.
    private static let interval = Duration.seconds(1)

    /// Creates the input of the sink with the same options and instance.
    public convenience init(_ options: AlertsOptions, instance: PluginInstance) {
        self.init(book: .at(options.file(of: instance)))
    }

    init(book: AlertBook) { self.book = book }

    /// Logs until the task is cancelled.
    public func run(into pipeline: Pipeline) async throws {
        pipeline.begin()
        // Blocks its thread while records of earlier runs are written, for a limited time.
        _ = await DedicatedThread.value(takesSignals: false) { pipeline.drain(timeout: .seconds(10)) }
        let wakes = book.wakes.listen()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [book] in
                for await _ in wakes { book.report { pipeline.logger.offer($0.record) } }
            }
            group.addTask { [book] in
                while (try? await Task.sleep(for: Self.interval)) != nil { book.wakes.wake() }
            }
            await group.waitForAll()
        }
    }
}
