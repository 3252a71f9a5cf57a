#if Configuration
internal import Yams

/// A scalar, decoded strictly.
struct NodeValueContainer: SingleValueDecodingContainer {
    let decoder: NodeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    /// The text, if it is unquoted.
    private var plain: String? {
        guard case .scalar(let scalar) = decoder.node, scalar.isPlain else { return nil }
        return scalar.string
    }

    func decodeNil() -> Bool { decoder.node.isNothing }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch plain {
        case "true": return true
        case "false": return false
        default: throw decoder.mismatch("true or false")
        }
    }

    /// Any scalar except null; a number is taken literally.
    func decode(_ type: String.Type) throws -> String {
        guard case .scalar(let scalar) = decoder.node, !decoder.node.isNothing else { throw decoder.mismatch("text") }
        return scalar.string
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let plain, plain.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }),
            let number = Double(plain), number.isFinite
        else { throw decoder.mismatch("a number") }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    private func whole<T: FixedWidthInteger>() throws -> T {
        guard let plain else { throw decoder.mismatch("an integer") }
        let digits = plain.drop { $0 == "-" || $0 == "+" }
        // `0640` may be octal or decimal: reject it instead of guessing.
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            digits.count == 1 || !digits.hasPrefix("0")
        else { throw decoder.mismatch("an integer") }
        guard let number = T(plain) else {
            throw decoder.mismatch("an integer from \(T.min) to \(T.max)")
        }
        return number
    }

    func decode(_ type: Int.Type) throws -> Int { try whole() }
    func decode(_ type: Int8.Type) throws -> Int8 { try whole() }
    func decode(_ type: Int16.Type) throws -> Int16 { try whole() }
    func decode(_ type: Int32.Type) throws -> Int32 { try whole() }
    func decode(_ type: Int64.Type) throws -> Int64 { try whole() }
    func decode(_ type: UInt.Type) throws -> UInt { try whole() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try whole() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try whole() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try whole() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try whole() }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}
#endif
