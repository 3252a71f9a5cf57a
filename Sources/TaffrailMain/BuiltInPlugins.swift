internal import Taffrail
internal import TaffrailAlerts
internal import TaffrailConsole
internal import TaffrailFilter
internal import TaffrailGPSD
internal import TaffrailGeoAttributes
internal import TaffrailGeoRecorder
internal import TaffrailGeoReplay
internal import TaffrailMemory
internal import TaffrailNMEA
internal import TaffrailPrivacy
internal import TaffrailRedaction
internal import TaffrailSampling
internal import TaffrailSimulated
internal import TaffrailVisits
#if HTTP
internal import TaffrailAdaptivePinger
internal import TaffrailHTTPRemote
#endif
#if Journald
internal import TaffrailJournald
#endif
#if Server
internal import TaffrailReceiver
#endif
#if Store
internal import TaffrailLocationStore
internal import TaffrailLogStore
#endif

/// The plugins of the command, one per line.
enum BuiltInPlugins {
    static var all: [any Plugin.Type] {
        var plugins: [any Plugin.Type] = [
            GPSDPlugin.self,
            GeoReplayPlugin.self,
            NMEAPlugin.self,
            SimulatedPlugin.self,
            VisitsPlugin.self,
            GeoAttributesPlugin.self,
            FilePlugin.self,
            AlertsPlugin.self,
            ConsolePlugin.self,
            MemoryPlugin.self,
            GeoRecorderPlugin.self,
            PrivacyPlugin.self,
            RedactionPlugin.self,
            SamplingPlugin.self,
            FilterPlugin.self,
        ]
        #if HTTP
        plugins.append(HTTPRemotePlugin.self)
        plugins.append(AdaptivePingerPlugin.self)
        #endif
        #if Journald
        plugins.append(JournaldPlugin.self)
        #endif
        #if Server
        plugins.append(ReceiverPlugin.self)
        #endif
        #if Store
        plugins.append(LocationStorePlugin.self)
        plugins.append(LogStorePlugin.self)
        #endif
        return plugins
    }
}
