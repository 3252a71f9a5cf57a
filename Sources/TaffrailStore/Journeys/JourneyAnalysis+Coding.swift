#if Store
internal import Foundation

extension JourneyAnalysis {
    /// Returns the state as a string.
    func encoded() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    /// Reads a state. A version that changes its contents must delete the states of earlier versions, with all results.
    init(encoded text: String) throws {
        self = try JSONDecoder().decode(JourneyAnalysis.self, from: Data(text.utf8))
    }
}
#endif
