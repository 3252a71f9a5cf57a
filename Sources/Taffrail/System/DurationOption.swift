/// A duration in a configuration.
package struct DurationOption: Decodable {
    package let duration: Duration

    /// Decodes a string with a unit. A bare number is rejected, because its unit is unknown; only 0 needs none.
    ///
    /// - Throws: `DecodingError` that describes the form of a duration.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int64.self) {
            guard number == 0 else {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "needs a unit, such as \(number)ms, \(number)s or \(number)m")
            }
            duration = .zero
            return
        }
        guard let text = try? value.decode(String.self), let duration = DurationText.duration(text) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "must be a time with a unit, such as 250ms, 30s, 5m, 1h30m or 7d")
        }
        self.duration = duration
    }
}
