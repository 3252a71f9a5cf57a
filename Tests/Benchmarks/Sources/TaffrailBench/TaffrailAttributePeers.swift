import CBench
import Glibc
import Taffrail

/// Taffrail with four attributes: literals, literals of a named type, `LogValue`s, and variables.
nonisolated(unsafe) let taffrailAttributePeers: [bench_implementation] = [
    peer("taffrail-literals") { _, first, count in logLiterals(Workload.ids(first, count)) },
    peer("taffrail-named") { _, first, count in logNamed(Workload.ids(first, count)) },
    peer("taffrail-values") { _, first, count in logValues(Workload.ids(first, count)) },
    peer("taffrail-variables") { _, first, count in logVariables(Workload.ids(first, count)) },
]

private func peer(
    _ name: String, _ log: @escaping @convention(c) (Int32, UInt64, UInt64) -> Void
) -> bench_implementation {
    bench_implementation(
        name: strdup(name),
        start: { directory in startTaffrail(directory: directory) },
        log_lines: log,
        log_with_attributes: nil,
        finish: { _, _ in Logger.shared.flush() },
        log_disabled: { Workload.logDisabled(Int($0)) },
        loop_empty: { Workload.loopEmpty(count: $0) })
}

@inline(never)
private func logLiterals(_ ids: Range<Int>) {
    let users = Workload.users
    for id in ids {
        Logger.shared.info(
            "request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200",
            ["shard": 7, "load": 0.5, "cached": true, "pool": "main"])
    }
}

/// What the overload for literals alone is: the type that they had before variables were accepted.
@inline(never)
private func logNamed(_ ids: Range<Int>) {
    let users = Workload.users
    for id in ids {
        Logger.shared.info(
            "request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200",
            ["shard": 7, "load": 0.5, "cached": true, "pool": "main"] as LogAttributes)
    }
}

@inline(never)
private func logValues(_ ids: Range<Int>) {
    let users = Workload.users
    for id in ids {
        let (shard, load, cached, user) = (id & 15, Double(id) * 0.5, id & 1 == 0, users[id & 7])
        Logger.shared.info(
            "request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200",
            ["shard": LogValue(shard), "load": LogValue(load), "cached": LogValue(cached), "user": LogValue(user)])
    }
}

@inline(never)
private func logVariables(_ ids: Range<Int>) {
    let users = Workload.users
    for id in ids {
        let (shard, load, cached, user) = (id & 15, Double(id) * 0.5, id & 1 == 0, users[id & 7])
        Logger.shared.info(
            "request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200",
            ["shard": shard, "load": load, "cached": cached, "user": user])
    }
}
