#if Metrics
public import CoreMetrics
public import Taffrail
public import TaffrailGeo
internal import TaffrailReading

/// Reports a pipeline's queue, its sinks and its plugins to swift-metrics.
///
///     let metrics = PipelineMetrics()
///     router.get("/metrics") { _ in
///         metrics.update()
///         return render()
///     }
///
/// Log calls have no extra cost: the counts are read from the queue, by ``update()``, to be called before metrics are
/// collected, or periodically by ``run(every:)``. The names and labels are those of `taffrail status --metrics`,
/// without the labels that name the run; positions are counted in addition.
public final class PipelineMetrics: Sendable {
    private let pipeline: Pipeline
    private let feed: LocationFeed
    private let state: Locked<State>

    /// - Parameters:
    ///   - pipeline: The pipeline to report.
    ///   - feed: The feed to which its inputs publish positions. Default: the program's.
    ///   - factory: The factory of its metrics. Default: swift-metrics' own.
    public init(
        _ pipeline: Pipeline = .shared, feed: LocationFeed = .shared,
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.pipeline = pipeline
        self.feed = feed
        state = Locked(State(factory))
    }

    /// Sets all metrics to the current counts. Any thread may call this; it reads the plugins' status files. Without an
    /// open queue, the counts are unchanged, and the depth is 0.
    public func update() {
        let queue = pipeline.openQueue
        let status = queue.map { QueueStatus($0) }
        let plugins = queue.map { PluginValues.read(directories: $0.statusDirectories) } ?? []
        state.withLock { state in
            state.update(status)
            state.update(positions: feed.positions)
            for value in plugins {
                state.gauge("plugin_status", [("plugin", value.plugin), ("key", value.key)], value.number)
            }
        }
    }

    /// Calls ``update()`` periodically, until the task is cancelled; for systems that push metrics.
    ///
    /// - Parameter interval: The time between two updates. Default 10 s.
    public func run(every interval: Duration = .seconds(10)) async {
        while !Task.isCancelled {
            update()
            try? await Task.sleep(for: interval)
        }
        update()
    }
}
#else
/// Needs the trait `Metrics`.
@available(*, unavailable, message: "enable the trait Metrics: .package(…, traits: [\"Metrics\"])")
public final class PipelineMetrics {
    /// Needs the trait `Metrics`.
    public init() {}
}
#endif
