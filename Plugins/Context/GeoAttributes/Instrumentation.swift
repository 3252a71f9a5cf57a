public import Taffrail

/// Settings for the attributes added to the records of a pipeline; see ``Pipeline/instrument(_:)``.
public struct Instrumentation: Sendable {
    var settings: LocationInstrumentation
    var isChanged = false

    /// Configures the position that is added to records, starting with the settings of earlier calls.
    public mutating func location(_ configure: (inout LocationInstrumentation) -> Void) {
        configure(&settings)
        isChanged = true
    }
}

extension Pipeline {
    /// Adds the position of this machine to every record, as the plugin `geo-attributes` does:
    ///
    ///     Pipeline.shared.instrument { config in
    ///         config.location { $0.enabled(true) }
    ///     }
    ///
    /// Settings that `configure` does not change are kept. A later call replaces what an earlier one enabled; a call
    /// that turns it off removes the position from the records and deletes the position saved for the next run.
    /// Not needed if a configuration contains `geo-attributes`.
    public func instrument(_ configure: (inout Instrumentation) -> Void) {
        let before = Self.instrumented.withLock { $0[ObjectIdentifier(self)]?.settings }
        var instrumentation = Instrumentation(settings: before ?? LocationInstrumentation())
        configure(&instrumentation)
        guard instrumentation.isChanged else { return }
        let (location, name) = (instrumentation.settings, "geo-attributes")
        let running = Self.instrumented.withLock { all in
            let running = all[ObjectIdentifier(self)]?.running ?? Pipeline.Running(self)
            all[ObjectIdentifier(self)] = (running, location)
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

    /// The contexts that `instrument` has started, with their settings. Pipelines exist until the process ends.
    private static let instrumented = Locked<
        [ObjectIdentifier: (running: Pipeline.Running, settings: LocationInstrumentation)]
    >([:])
}
