package import Taffrail
internal import TaffrailText

/// The recordings in a directory that have not been ended.
package enum RecordingLeftovers {
    /// Recordings with a mark. Locks are not checked: the mark is valid for the owner of the run's queue, and the
    /// system may release the locks of a dead program one by one, with a delay.
    package static func unfinished(in directory: String) -> [(path: String, mark: RingMark)] {
        paths(directory).compactMap { path in
            guard let file = try? FileDescriptor(reading: path), let mark = try? RecordingProbe.continuation(file)?.mark
            else {
                return nil
            }
            return (path, mark)
        }
    }

    /// Ends recordings of dead runs, and repairs damaged ones. A recording with a mark is kept open while its run's
    /// queue exists, which continues after the mark.
    ///
    /// - Parameter queues: A directory of queues, in addition to the recorder's own.
    /// - Returns: The failures, one per line.
    package static func tidy(_ directory: String, queues: String? = nil) -> [String] {
        let queues = [queues, queueDirectory(of: directory)].compactMap(\.self)
        var problems: [String] = []
        let all = Directory.names(in: directory)
        HiddenFile.removeLeftovers(all, in: directory)
        // A kill between the last two steps of a compression leaves both files.
        let names = Set(all)
        for name in all where RecordingName.isOurs(name) && names.contains(name + RecordingArchive.suffix) {
            try? FileName.remove(directory + "/" + name)
        }
        for path in paths(directory) {
            do throws(RecordingError) {
                switch state(path, queues) {
                case .whole: break
                case .unfinished:
                    let writer = try RecordingWriter(continuing: path)
                    do throws(SystemError) { try writer.close() } catch { throw RecordingError(error, path: path) }
                case .damaged:
                    let repair = try RecordingRepair(of: path, assumed: .forCurrentDevice())
                    problems.append("\(path) was damaged and has been repaired: \(repair.events) events")
                }
            } catch {
                problems.append("\(error)")
            }
        }
        return problems
    }

    /// Returns the queue directory of a recorder without a log file.
    package static func queueDirectory(of directory: String) -> String { directory + "/.taffrail" }

    private enum State { case whole, unfinished, damaged }

    /// Returns the state of a recording of this program; a recording that is being written, or has a queue, counts as
    /// intact.
    private static func state(_ path: String, _ queues: [String]) -> State {
        guard let file = try? FileDescriptor(updating: path), file.lock() else { return .whole }
        defer { file.unlock() }
        guard (try? RecordingProbe.metadata(file)) ?? nil != nil else { return .damaged }
        guard let continuation = try? RecordingProbe.continuation(file) else { return .whole }
        if let run = continuation.mark?.run, queues.contains(where: { Directory.names(in: $0).contains("\(run).ring") })
        {
            return .whole
        }
        return continuation.isUnfinished(size: (try? file.size) ?? 0) ? .unfinished : .whole
    }

    /// Returns the recordings that have been ended, and are not compressed.
    static func ended(in directory: String) -> [String] { paths(directory).filter(isEnded) }

    /// Returns whether a recording has been ended, so that its file no longer changes.
    ///
    /// The file is locked for this check only if it may have ended, because other programs test the lock too.
    package static func isEnded(_ path: String) -> Bool {
        if RecordingArchive.isArchive(path) { return true }
        guard let file = try? FileDescriptor(updating: path), (try? RecordingProbe.metadata(file)) ?? nil != nil else {
            return false
        }
        let found = try? RecordingProbe.continuation(file)
        if let found, found.isUnfinished(size: (try? file.size) ?? 0) { return false }
        guard file.lock() else { return false }
        file.unlock()
        return true
    }

    private static func paths(_ directory: String) -> [String] {
        let names = Directory.names(in: directory)
        return names.filter { RecordingName.isOurs($0) && $0.hasSuffix(".json") }.sorted().map { directory + "/" + $0 }
    }
}
