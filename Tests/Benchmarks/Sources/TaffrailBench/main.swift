import CBench
import Glibc

let implementations =
    [
        taffrailPeer, taffrailLocatedPeer, taffrailEqualsPeer, taffrailVariablesPeer, taffrailConfiguredPeer,
        taffrailStuckPeer,
        swiftLogPeer, seed002Peer,
        bench_write64k,
    ]
    + taffrailFilePeers
exit(bench_main(CommandLine.argc, CommandLine.unsafeArgv, implementations, Int32(implementations.count)))
