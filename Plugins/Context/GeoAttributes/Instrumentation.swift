public import Taffrail

/// Settings for the attributes added to the records of a pipeline; see ``Pipeline/instrument(_:)``.
public struct Instrumentation: Sendable {
    var settings: LocationInstrumentation
    var isChanged = false

    /// Sets up the position that is added to records, beginning with what earlier calls have set.
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
    /// Settings that `configure` does not mention stay unchanged. A later call replaces what an earlier one enabled;
    /// one that turns it off removes the position from the records and deletes the position saved for the next run.
    /// This is not needed if a configuration has `geo-attributes`.
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

    /// The contexts that `instrument` has started, with their settings. Pipelines live as long as the process.
    private static let instrumented = Locked<
        [ObjectIdentifier: (running: Pipeline.Running, settings: LocationInstrumentation)]
    >([:])
}
