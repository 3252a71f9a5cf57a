#if Store
internal import Foundation

extension JourneyAnalysis {
    /// The state as text.
    func encoded() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    /// Reads a state. A version that changes what it consists of must delete those of earlier ones, with all that was found.
    init(encoded text: String) throws {
        self = try JSONDecoder().decode(JourneyAnalysis.self, from: Data(text.utf8))
    }
}
#endif
