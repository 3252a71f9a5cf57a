#if Configuration
/// Suggests the intended word for a misspelled one.
package enum Suggestion {
    /// Returns the choice nearest to `word`, unless all differ too much.
    static func nearest(to word: String, among choices: some Sequence<String>) -> String? {
        let word = normal(word)
        let limit = word.count < 4 ? 1 : max(2, word.count / 3)
        return choices.map { (choice: $0, distance: distance(word, normal($0))) }
            .filter { $0.distance <= limit }
            .min { ($0.distance, $0.choice) < ($1.distance, $1.choice) }?.choice
    }

    /// Returns the end of a message about an unknown word: a suggestion, if any, and all choices.
    package static func text(for word: String, among choices: [String], naming plural: String) -> String {
        let guess = nearest(to: word, among: choices).map { "; did you mean \"\($0)\"?" } ?? ";"
        return "\(guess) known \(plural): \(choices.sorted().joined(separator: ", "))"
    }

    /// Returns the word in lower case, without separators.
    private static func normal(_ word: String) -> [Character] {
        word.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    }

    /// Returns the number of letters to insert, delete, replace or swap with their neighbour.
    static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var before: [Int] = []
        var row = Array(0...other.count)
        for (i, letter) in one.enumerated() {
            var next = [i + 1]
            for (j, match) in other.enumerated() {
                var best = min(row[j + 1] + 1, next[j] + 1, row[j] + (letter == match ? 0 : 1))
                if i > 0, j > 0, letter == other[j - 1], one[i - 1] == match { best = min(best, before[j - 1] + 1) }
                next.append(best)
            }
            before = row
            row = next
        }
        return row[other.count]
    }
}
#endif
