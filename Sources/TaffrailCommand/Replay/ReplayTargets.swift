#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailTracks

/// The programs and lines that receive the positions of a replay or of a live source.
enum ReplayTargets {
    /// Opens targets by name.
    ///
    /// - Parameter device: The receiver that clients of gpsd see from the start; `nil`: none is known. Evaluated at most
    ///   once: it may read a file.
    /// - Throws: Exit status 73 when one cannot be opened, which has been reported on stderr.
    static func open(_ targets: [String], device: @autoclosure () -> String?) throws -> [any GeoOutput] {
        lazy var known = device()
        do throws(SystemError) {
            var outputs: [any GeoOutput] = []
            for target in targets {
                if let output = try GeoOutputAddress(target)?.open(device: known) { outputs.append(output) }
            }
            return outputs
        } catch { throw ExitCode.cannotCreate.reporting(error) }
    }
}
#endif
