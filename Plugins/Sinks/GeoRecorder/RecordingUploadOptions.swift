#if HTTP
internal import Taffrail
internal import TaffrailGeo
public import TaffrailHTTP

/// The receiver of finished recordings.
public struct RecordingUploadOptions: Sendable, Hashable, Decodable {
    /// The address of the receiver's recordings, such as `https://receiver:8787/recordings`, to which the name of a
    /// recording is appended.
    public var url: String
    /// The prefix of the names at the receiver, which distinguishes machines. Default: the device of the configuration,
    /// with _ for characters other than letters, digits and -; `nil`: a hash of the machine's id, as in its pings.
    public var device: String?
    /// Authentication and retries. There is no spool: a recording stays in its directory until it is sent.
    public var delivery = HTTPDeliveryOptions()

    /// Creates options.
    public init(url: String) { self.url = url }

    private enum CodingKeys: String, CodingKey, CaseIterable { case url, device }

    /// Reads options: an address, or a map.
    public init(from decoder: any Decoder) throws {
        if let url = try? decoder.singleValueContainer().decode(String.self) {
            self.init(url: url)
            device = Self.device(in: decoder)
            if let problem = HTTPAddress.problem(in: url) {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: decoder.codingPath, debugDescription: problem))
            }
            return
        }
        let options = try decoder.container(keyedBy: CodingKeys.self)
        guard let url: String = try options.value(.url) else { throw options.problem(.url, "is missing") }
        if let problem = HTTPAddress.problem(in: url) { throw options.problem(.url, problem) }
        self.init(url: url)
        device = try options.value(.device) ?? Self.device(in: decoder)
        if let device, RecordingUploadOptions.plain(device) != device || device.isEmpty || device.utf8.count > 64 {
            throw options.problem(.device, "must consist of at most 64 letters, digits, - and _")
        }
        try delivery.read(from: decoder, hasSpool: false)
    }

    private static func device(in decoder: any Decoder) -> String? { DeviceOptions.name(in: decoder).map(plain) }

    /// Returns a string in a form that is valid as a prefix of names at the receiver.
    static func plain(_ text: String) -> String {
        String(
            decoding: text.utf8.map { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") ? $0 : UInt8(ascii: "_") },
            as: UTF8.self)
    }
}
#endif
