internal import Taffrail

/// The rings that a reader finds in a state directory: those in it, and those named by pointers in it, which are next
/// to another sink or in a directory of queues. Changes nothing.
struct RingPaths {
    /// The paths of the rings, oldest run first.
    private(set) var paths: [String] = []
    /// Why records may be missing: pointers to rings that do not exist, as they may have been moved, or a directory that
    /// cannot be listed.
    private(set) var problems: [String] = []
    /// Whether this user may not list the directory.
    private(set) var isDenied = false

    init(in directory: String) {
        var names: [String] = []
        do throws(SystemError) { names = try Directory.entries(of: directory).map(\.name) } catch {
            if !error.isMissing { problems.append("\(error)") }
            isDenied = error.isDenied
        }
        var rings = names.filter { $0.hasSuffix(".ring") }
        paths = rings.map { directory + "/" + $0 }
        for name in names.sorted() where name.hasSuffix(RingPointer.suffix) {
            let pointer = directory + "/" + name
            let ringName = name.dropLast(RingPointer.suffix.count) + ".ring"
            // Another path may lead to this directory.
            guard RingID(name.dropLast(RingPointer.suffix.count)) != nil, !rings.contains(String(ringName)),
                let ring = RingPointer.text(of: pointer, isOwn: false), ring.hasPrefix("/"),
                ring.hasSuffix("/" + ringName), let parent = Directory.parent(of: ring)
            else { continue }
            if FileName.isMissing(ring) {
                // A run that ends removes its ring before the pointers to it.
                if !Directory.exists(parent), FileName.exists(pointer) {
                    problems.append(
                        "\(pointer): the queue that it names is missing, \(ring); if it was moved, recover the directory "
                            + "in which it is now, then remove this file")
                }
                continue
            }
            rings.append(String(ringName))
            paths.append(ring)
        }
        if paths.count > 1 { paths = paths.map { (RingHeader.start(of: $0), $0) }.sorted { $0 < $1 }.map(\.1) }
    }
}
