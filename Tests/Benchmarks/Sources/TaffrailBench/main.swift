import CBench
import Glibc

let implementations =
    [
        taffrailPeer, taffrailLocatedPeer, taffrailEqualsPeer, taffrailConfiguredPeer,
        taffrailStuckPeer,
        swiftLogPeer, seed002Peer,
        bench_write64k,
    ]
    + taffrailAttributePeers + taffrailFilePeers
exit(bench_main(CommandLine.argc, CommandLine.unsafeArgv, implementations, Int32(implementations.count)))
