import Synchronization

@testable import Taffrail

/// Stands for a ring: its checkpoint word.
final class FakeRing: Sendable {
    let position: Atomic<UInt64>
    let path: String?
    let run = RingID(7)

    init(path: String?, position: UInt64 = 0) {
        self.path = path
        self.position = Atomic(position)
    }

    var checkpoint: SinkCheckpoint {
        SinkCheckpoint(ringPath: path, run: run, slot: 3) { [self] in
            position.store($0, ordering: .sequentiallyConsistent)
            return true
        }
    }

    /// Reads the checkpoint as the next holder of the lock does.
    var reader: RingCheckpoint.Reader {
        { [self] path, run, slot in
            guard run == self.run, slot == 3, path == self.path else { return nil }
            return position.load(ordering: .sequentiallyConsistent)
        }
    }
}
