internal import Dispatch
public import Taffrail
package import TaffrailGeo
internal import TaffrailLocationManager

extension GeoAttributesContext where C == ContinuousClock {
    /// Creates a context that listens to the program's inputs. If the geocoder cannot be used, this is reported, and no
    /// names are added.
    ///
    /// - Parameter instance: The plugin instance, which determines the file that keeps the last fix between runs.
    public convenience init(
        _ options: GeoAttributesOptions = GeoAttributesOptions(),
        instance: PluginInstance = PluginInstance(named: "geo-attributes")
    ) {
        var names = PlaceNames()
        do { names = try options.openPlaceNames() } catch {
            Diagnostics.report("geo-attributes: place names are unavailable: \(error)")
        }
        self.init(options, instance: instance, names: names)
    }

    convenience init(_ options: GeoAttributesOptions, instance: PluginInstance, names: PlaceNames) {
        self.init(
            options, file: FixFile(of: instance),
            surroundings: Surroundings(
                names: names,
                makeManager: { queue in LocationManager(source: options.source ?? .standard, queue: queue) }),
            clock: ContinuousClock())
    }

    /// Creates a context that listens to a custom feed, and requests fixes from no other source.
    ///
    /// - Parameter file: The file that keeps the last fix between runs.
    package convenience init(
        _ options: GeoAttributesOptions = GeoAttributesOptions(), feed: LocationFeed, file: String,
        geocoder: OfflineGeocoder? = nil
    ) {
        self.init(
            options, file: FixFile(file),
            surroundings: Surroundings(
                names: PlaceNames(geocoder: geocoder), feed: feed,
                makeManager: { LocationManager(feed: feed, queue: $0) }),
            clock: ContinuousClock())
    }
}
