#if HTTP
public import Taffrail
package import TaffrailDelivery
public import TaffrailGeo
public import TaffrailHTTP

/// The options of the sink `pinger`.
@dynamicMemberLookup
public struct AdaptivePingerOptions: PluginOptions {
    /// The address of the receiver. Default: `http://localhost:8787/ping`.
    public var endpoint = "http://localhost:8787/ping"
    /// The format of pings. Default: the JSON object of the receiver of Taffrail.
    public var dialect = PingDialect.ping
    /// The user in the topic of OwnTracks. Default: `taffrail`.
    public var topicUser = "taffrail"
    /// The name of the device in pings. Default `nil`: a hash of the machine's id (see ``DeviceID``).
    public var deviceID: String?
    /// The only receiver whose fixes are used, such as `/dev/ttyACM0`. Default `nil`: the first; another one once it
    /// has had no fix for twice `wake`, at least a minute.
    public var receiver: String?
    /// The policy that decides when pings are sent.
    public var policy = PingPolicyOptions()
    /// Authentication, retries and the spool: the remaining options, which are also accessible directly.
    public var delivery = AdaptivePingerOptions.standardDelivery

    private static var standardDelivery: HTTPDeliveryOptions {
        var options = HTTPDeliveryOptions()
        options.spool.size = .mebibytes(16)
        return options
    }

    /// Creates options.
    public init() {}

    /// One of the options of ``delivery``.
    public subscript<Value>(dynamicMember option: WritableKeyPath<HTTPDeliveryOptions, Value>) -> Value {
        get { delivery[keyPath: option] }
        set { delivery[keyPath: option] = newValue }
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case endpoint, dialect
        case topicUser = "topic_user"
        case deviceID = "device_id"
        case receiver, spool
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        // All are decoded first, so that an error in one does not make the keys of another unknown.
        let policy = Result { try PingPolicyOptions(from: decoder) }
        try delivery.read(from: decoder)
        self.policy = try policy.get()
        endpoint = try options.value(.endpoint, or: endpoint)
        if let problem = HTTPAddress.problem(in: endpoint) { throw options.problem(.endpoint, problem) }
        dialect = try options.value(.dialect, or: dialect)
        topicUser = try options.value(.topicUser, or: topicUser)
        guard HTTPAddress.isHeaderValue(topicUser), !topicUser.isEmpty else {
            throw options.problem(.topicUser, "must be printable ASCII and not empty")
        }
        deviceID = try options.value(.deviceID) ?? DeviceOptions.name(in: decoder)
        guard deviceID.map({ HTTPAddress.isHeaderValue($0) && !$0.isEmpty }) ?? true else {
            throw options.problem(.deviceID, "must be printable ASCII and not empty")
        }
        receiver = try options.value(.receiver)
        guard delivery.spool.whenFull != .dropNewest else {
            throw options.problem(.spool, "when_full must be drop_oldest or hold: the newest ping counts most")
        }
    }

    /// The directory of the spool, and the receiver of pings with the device.
    public func destinations(of instance: PluginInstance) -> [String] {
        [resolvedSpool(of: instance).directory, track]
    }

    /// The destination of the device's positions. Positions of two receivers may be those of two devices.
    var track: String {
        let device = [deviceID.map { "device \($0)" }, receiver.map { "receiver \($0)" }].compactMap(\.self)
        return delivery.identity(of: endpoint, device)
    }

    /// `true`: the spool is kept next to the log by default.
    public static var keepsStateBesideLog: Bool { true }
}

extension AdaptivePingerOptions: SpoolingOptions {
    package func resolvedSpool(of instance: PluginInstance) -> SpoolOptions { delivery.resolvedSpool(of: instance) }
}
#endif
