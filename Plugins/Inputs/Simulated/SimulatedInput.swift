public import Taffrail
public import TaffrailGeo
internal import TaffrailText

/// Simulated positions: a fixed one, or a route at a constant speed.
///
/// ``SimulatedLocations`` changes or removes them while it runs. The events are also published in a feed, which a
/// ``LocationManager`` can listen to.
public struct SimulatedInput<C: Clock>: Input where C.Duration == Duration {
    private let interval: Duration
    private let locations: SimulatedLocations
    private let feed: LocationFeed
    private let clock: C
    private let name: String
    private let isOnDemand: Bool
    private let route: SimulatedRoute?
    /// The number of position changes when the input was created.
    private let generation: Int

    /// Creates an input. When it runs, it sets the position of its options, unless the position has since been changed.
    ///
    /// - Parameters:
    ///   - options: Its options.
    ///   - name: The instance's name, used to address commands.
    ///   - locations: The source of positions.
    ///   - feed: The feed in which positions are published.
    ///   - clock: The clock to sleep on; tests use one that they control.
    public init(
        _ options: SimulatedOptions, name: String = "simulated", locations: SimulatedLocations = .shared,
        feed: LocationFeed = .shared, clock: C
    ) {
        self.name = name
        interval = options.interval
        isOnDemand = options.onDemand
        self.locations = locations
        self.feed = feed
        feed.attachInput()
        self.clock = clock
        route = options.route
        generation = locations.current.generation
    }

    /// Logs until the task is cancelled. Positions are due at multiples of the interval since the start; those that are
    /// more than an interval late, as after a suspension of the machine, are skipped.
    public func run(into pipeline: Pipeline) async throws {
        let commands = pipeline.handleCommands(for: name) { [locations] in
            try SimulatedControl.execute($0, locations)
        }
        defer { commands.end() }
        if let route { locations.set(route, ifStillAt: generation) }
        feed.setAuthorization(.authorizedAlways, of: name)
        defer { feed.forgetAuthorization(of: name) }
        let source = DemandedSource(feed, isOnDemand: isOnDemand)
        var publisher = FixPublisher(pipeline: pipeline, feed: feed, demand: source)
        let start = clock.now
        var due = start
        var (route, generation) = locations.current
        var began = start
        while !Task.isCancelled {
            let now = locations.current
            if now.generation != generation {
                (route, generation) = now
                began = due
            }
            let seconds = began.duration(to: due) / .seconds(1)
            var location = route?.location(after: seconds, timestamp: .now)
            location?.extra.uptime = SystemClock.monotonicNanoseconds()
            publisher.take(PositionReport(time: location?.timestamp, mode: .twoD, location: location))
            due = due.advanced(by: interval)
            do { try await clock.sleep(until: due, tolerance: nil) } catch { return }
            let late = due.duration(to: clock.now)
            if late > interval, interval > .zero { due = due.advanced(by: interval * Int(late / interval)) }
        }
    }
}

extension SimulatedInput where C == ContinuousClock {
    /// Creates an input with the system's clock.
    public init(
        _ options: SimulatedOptions, name: String = "simulated", locations: SimulatedLocations = .shared,
        feed: LocationFeed = .shared
    ) {
        self.init(options, name: name, locations: locations, feed: feed, clock: ContinuousClock())
    }
}
