import Foundation
import Taffrail
import TaffrailTestSupport

/// What the folders of a target use of one another: types, and members that other folders add to types.
struct FolderUses {
    /// A folder that uses a declaration of another one.
    struct Arrow: Hashable, CustomStringConvertible {
        let from: String
        let to: String
        var description: String { "\(from) → \(to)" }

        init(_ from: String, _ to: String) {
            self.from = from
            self.to = to
        }
    }

    /// The files of each folder.
    let folders: [String: [SwiftFile]]
    /// The folder of each type.
    let homes: [String: String]
    /// The types of other folders that a folder uses.
    let types: [Arrow: Set<String>]
    /// The names in the code of each folder.
    private let names: [String: SwiftFile.Names]
    /// The names that the imported modules declare.
    private let imported: Set<Substring>

    /// - Parameter imported: The names that the imported modules declare.
    init(_ folders: [String: [SwiftFile]], imported: Set<Substring> = []) {
        self.folders = folders
        self.imported = imported
        var homes: [String: String] = [:]
        for (folder, files) in folders {
            for type in files.flatMap(\.types) { homes[type] = folder }
        }
        self.homes = homes
        names = folders.mapValues { files in files.reduce(into: SwiftFile.Names()) { $0.formUnion($1.names) } }
        var types: [Arrow: Set<String>] = [:]
        for (folder, names) in names {
            for type in names.types {
                guard let home = homes[type], home != folder else { continue }
                types[Arrow(folder, home), default: []].insert(type)
            }
        }
        self.types = types
    }

    /// Reads the files in a folder of the repository, and in folders there.
    init(in path: String) throws {
        let files = try SwiftFile.all(in: path)
        let modules = Set(files.flatMap(\.imports))
        self.init(
            Dictionary(grouping: files) { file in
                let parts = file.path.dropFirst(path.count).split(separator: "/").dropLast()
                return parts.isEmpty ? "." : parts.joined(separator: "/")
            }, imported: try modules.reduce(into: []) { $0.formUnion(try Self.names(declaredIn: $1)) })
    }

    /// The cache of names that modules declare.
    private static let known = Locked<[String: Set<Substring>]>([:])

    /// Returns the names that a module of the repository declares; none for another one.
    private static func names(declaredIn module: String) throws -> Set<Substring> {
        if let names = known.withLock({ $0[module] }) { return names }
        let path = "Sources/\(module)"
        var names: Set<Substring> = []
        if FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path) {
            for file in try SwiftFile.all(in: path) { names.formUnion(file.declaredNames) }
        }
        known.withLock { $0[module] = names }
        return names
    }

    /// Returns the uses of members that a folder not below the using one adds to a type from elsewhere: as
    /// `Type.member`, or by the name alone, if the using folder, the folders below it and the imported modules declare
    /// nothing with this name.
    ///
    /// - Parameter below: Returns the folders below a folder.
    func members(outside below: (String) -> Set<String>) -> [Arrow: Set<String>] {
        var added: [SwiftFile.Member: Set<String>] = [:]
        for (folder, files) in folders {
            for member in files.flatMap(\.extensionMembers) where homes[member.type] != folder {
                added[member, default: []].insert(folder)
            }
        }
        let declared = folders.mapValues { $0.reduce(into: Set<Substring>()) { $0.formUnion($1.declaredNames) } }
        var found: [Arrow: Set<String>] = [:]
        for (folder, names) in names {
            let reach = below(folder).union([folder])
            for (member, owners) in added where owners.isDisjoint(with: reach) {
                let qualified = "\(member.type).\(member.name)"
                let name = member.name[...]
                let isDistinct =
                    !imported.contains(name) && !reach.contains { declared[$0]?.contains(name) == true }
                guard names.qualified.contains(qualified) || isDistinct && names.words.contains(member.name) else {
                    continue
                }
                for owner in owners { found[Arrow(folder, owner), default: []].insert(qualified) }
            }
        }
        return found
    }

    /// The uses that are part of a circle of folders.
    var circles: [Arrow: Set<String>] {
        let below = Self.reach(Set(types.keys))
        let uses = types.merging(members(outside: { below[$0, default: []] })) { $0.union($1) }
        let reach = Self.reach(Set(uses.keys))
        return uses.filter { reach[$0.key.to]?.contains($0.key.from) == true }
    }

    /// Returns the folders that each folder reaches by one or more arrows.
    private static func reach(_ arrows: Set<Arrow>) -> [String: Set<String>] {
        let next = Dictionary(grouping: arrows, by: \.from).mapValues { $0.map(\.to) }
        return next.mapValues { first in
            var found: Set<String> = []
            var rest = first
            while let one = rest.popLast() {
                if found.insert(one).inserted { rest += next[one, default: []] }
            }
            return found
        }
    }
}
