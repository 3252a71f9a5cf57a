internal import Taffrail
package import TaffrailText

/// Countries and their subdivisions from Debian's package iso-codes: `iso_3166-1.json` and `iso_3166-2.json`.
package struct ISOCodes: Sendable {
    /// alpha-2 codes by alpha-3 codes.
    private var byLongCode: [String: String] = [:]
    private var countries: Set<String> = ["XK"]
    /// The codes of parent subdivisions.
    private var parents: [String: String] = [:]
    private var subdivisions: Set<String> = []
    /// Subdivisions of a country by their simplified names; `nil` if two have the same name.
    private var byName: [String: [String: String?]] = [:]

    package init() {}

    /// Reads `iso_3166-1.json`.
    package mutating func read(countries source: any ByteSource) throws {
        try Self.forEach(source) { entry in
            guard let code = entry["alpha_2"] else { return }
            countries.insert(code)
            if let long = entry["alpha_3"] { byLongCode[long] = code }
        }
    }

    /// Reads `iso_3166-2.json`.
    package mutating func read(subdivisions source: any ByteSource) throws {
        try Self.forEach(source) { entry in
            guard let code = entry["code"], let name = entry["name"] else { return }
            add(code: code, name: name, parent: entry["parent"])
        }
    }

    private static func forEach(_ source: any ByteSource, _ body: ([String: String]) -> Void) throws(ReadError) {
        var reader = JSONReader(source)
        let whole = try reader.value()
        guard case .map(let lists) = whole else { return }
        for list in lists {
            guard case .array(let entries) = list.value else { continue }
            for case .map(let fields) in entries {
                var entry: [String: String] = [:]
                for field in fields { if case .string(let text) = field.value { entry[field.key] = text } }
                body(entry)
            }
        }
    }

    package mutating func add(code: String, name: String, parent: String? = nil) {
        let country = String(code.prefix(2))
        countries.insert(country)
        subdivisions.insert(code)
        if let parent { parents[code] = parent.contains("-") ? parent : "\(country)-\(parent)" }
        // Some entries have several names: "Vlaams Gewest", "Nafarroa*", "Bolzano [Bozen]".
        for part in name.split(whereSeparator: { "/[](;".contains($0) }) {
            let key = Self.simple(String(part))
            guard !key.isEmpty else { continue }
            let known = byName[country, default: [:]][key]
            let isOther = known.map { $0 == nil || $0.map(topLevel) != topLevel(of: code) } ?? false
            byName[country, default: [:]][key] = isOther ? .some(nil) : .some(code)
        }
    }

    /// Returns the alpha-2 code of a country, given its alpha-3 or alpha-2 code; `nil` for an unknown code.
    package func country(_ code: String) -> String? {
        code.utf8.count == 3 ? byLongCode[code] : countries.contains(code) ? code : nil
    }

    /// Returns the top-level subdivision of a country with one of the given names; `nil` if no subdivision or several
    /// have one.
    package func region(of country: String, named names: [String]) -> String? {
        for name in names {
            if let code = byName[country]?[Self.simple(name)] ?? nil { return topLevel(code) }
        }
        return nil
    }

    /// Returns the top-level subdivision of a subdivision; `nil` for an unknown code.
    package func topLevel(of code: String) -> String? { subdivisions.contains(code) ? topLevel(code) : nil }

    private func topLevel(_ code: String) -> String {
        var code = code
        // The number of levels is limited, because two subdivisions might be each other's parents.
        for _ in 0..<4 { if let parent = parents[code] { code = parent } else { break } }
        return code
    }

    /// The words for kinds of subdivisions, before or after their names.
    private static let kinds: Set<String> = [
        "region", "province", "provincia", "state", "estado", "department", "departement", "departamento", "district",
        "county", "oblast", "governorate", "prefecture", "municipality", "de", "of", "the", "freistaat", "city", "do",
        "da",
        "del", "la", "al", "el", "ad", "an", "ar", "as", "at", "ash", "az", "autonomous", "republic", "wilayat",
        "wilaya",
        "muhafazat", "oblasty", "krai", "kray", "judet", "zupanija", "megye", "powiat", "lan", "fylke", "kanton",
        "canton",
        "parish", "island", "islands", "metropolitan", "capital", "territory", "division", "zone", "i", "y", "and",
        "et",
        "voblast", "voblasts", "oblys", "oblysy", "ken", "fu", "to", "sheng", "shi", "tinh", "thanh", "pho", "changwat",
    ]

    /// Returns a name in lower case, without diacritics and without the word for its kind, its letters sorted.
    static func simple(_ name: String) -> String {
        var words: [String] = []
        var word = ""
        for character in folded(name) + " " {
            if character.isLetter || character.isNumber {
                word.append(character)
            } else if character != "'" && character != "’" && character != "`" && !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        let plain = words.filter { !kinds.contains($0) }
        return (plain.isEmpty ? words : plain).sorted().joined(separator: " ")
    }

    /// Letters that are not base letters with diacritics.
    private static let letters: [Character: String] = [
        "ø": "o", "đ": "d", "ł": "l", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ə": "a",
        "ǝ": "a",
        "ħ": "h", "ŋ": "n", "ʿ": "", "ʾ": "", "‘": "", "’": "", "ʻ": "", "ʼ": "",
    ]

    /// Latin letters by their forms with one or two diacritics; canonically equivalent characters are equal.
    private static let bases: [Character: Character] = {
        let marks = (0x0300...0x0338).compactMap(Unicode.Scalar.init)
        var bases: [Character: Character] = [:]
        for letter in "abcdefghijklmnopqrstuvwxyz" {
            for mark in marks {
                let one = String(letter) + String(Character(mark))
                if let character = one.first, one.count == 1 { bases[character] = letter }
            }
        }
        // Vietnamese letters have two diacritics.
        for (letter, first) in [
            ("a", 0x0302), ("a", 0x0306), ("e", 0x0302), ("o", 0x0302), ("o", 0x031B), ("u", 0x031B),
        ] {
            guard let first = Unicode.Scalar(first as Int) else { continue }
            for second in marks {
                var text = String(letter)
                text.unicodeScalars.append(first)
                text.unicodeScalars.append(second)
                if let character = text.first, text.count == 1 { bases[character] = Character(letter) }
            }
        }
        return bases
    }()

    /// Returns Latin letters in lower case and without diacritics.
    private static func folded(_ name: String) -> String {
        var folded = ""
        for character in name.lowercased() {
            if let other = letters[character] { folded += other } else { folded.append(bases[character] ?? character) }
        }
        return folded
    }
}
