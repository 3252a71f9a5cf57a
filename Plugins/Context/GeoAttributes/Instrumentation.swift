internal import Synchronization
public import Taffrail

/// What is added to the records of a pipeline; see ``Pipeline/instrument(_:)``.
public struct Instrumentation: Sendable {
    var settings: LocationInstrumentation?

    /// Sets the position up that records have.
    public mutating func location(_ configure: (inout LocationInstrumentation) -> Void) {
        var settings = settings ?? LocationInstrumentation()
        configure(&settings)
        self.settings = settings
    }
}

/// The position that records have: off unless it is enabled.
public struct LocationInstrumentation: Sendable {
    var isEnabled = false
    /// How it is taken and for how long it is used.
    public var options = GeoAttributesOptions()

    /// Turns it on or off.
    public mutating func enabled(_ isEnabled: Bool) { self.isEnabled = isEnabled }
}

extension Pipeline {
    /// Adds the position of this machine to every record, as the plugin `geo-attributes` does:
    ///
    ///     Pipeline.shared.instrument { config in
    ///         config.location { $0.enabled(true) }
    ///     }
    ///
    /// What `configure` does not mention stays as it is. A later call replaces what an earlier one enabled; one that turns it
    /// off takes the position from the records and deletes what is kept for the next run. Where a configuration has
    /// `geo-attributes`, this is not needed.
    public func instrument(_ configure: (inout Instrumentation) -> Void) {
        var instrumentation = Instrumentation()
        configure(&instrumentation)
        guard let location = instrumentation.settings else { return }
        let name = "geo-attributes"
        let running = Self.instrumented.withLock { all in
            let running = all[ObjectIdentifier(self)] ?? Pipeline.Running(self)
            all[ObjectIdentifier(self)] = running
            return running
        }
        let context = GeoAttributesContext(location.options)
        if location.isEnabled {
            running.start(context, named: name)
        } else {
            running.endContext(named: name)
            context.discard()
        }
    }

    /// What `instrument` has started. Pipelines live as long as the process.
    private static let instrumented = Mutex<[ObjectIdentifier: Pipeline.Running]>([:])
}
