#if Command
import ArgumentParser
import Taffrail
import Testing

@testable import TaffrailCommand

/// The reader of the usual command line of `taffrail log` against the argument parser.
@Suite struct LogRequestTests {
    @Test(arguments: [
        "log info done", "log INFO done", "log warn done files=1204 job=nightly", "log err done a=b=c", "log info help",
        "log info log", "log info done --logger net.http", "log --logger net info done k=v",
        "log info --file /x/a.log done",
        "log info done --config a.yaml", "log info done --file a.log --keep 3 --rotate-size 10MiB k=1",
        "log info done --config a.yaml --file a.log", "log critical done --keep +3", "log info done --logger a=b",
        "log info done --logger log", "log info done --rotate-size 10", "log info done k=-1",
    ])
    func `what it reads means the same to the argument parser`(line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let command = try #require(try CommandRoot.parseAsRoot(words) as? LogCommand)
        #expect(LogRequest(words) == command.request)
        #expect(LogRequest(words)?.input == nil)
    }

    @Test func `spaces and empty words belong to the message`() throws {
        for words in [["log", "info", "backup done", "job=a b"], ["log", "info", ""], ["log", "info", " -x"]] {
            let command = try #require(try CommandRoot.parseAsRoot(words) as? LogCommand)
            #expect(LogRequest(words) == command.request)
        }
    }

    @Test(arguments: [
        "", "log", "log info", "log verbose done", "log info --stdin", "log info --stdin --tee", "log info done --tee",
        "log info done --help", "log info done -h", "log info done --version", "log --help", "help log", "--version",
        "log info done key", "log info done =1", "log info done --keep many", "log info done --rotate-size ten",
        "log info done --file", "log info done --file --keep 3", "log info done --file=a.log", "log info -- -3",
        "log info done --logger a --logger b", "log info done --unknown x", "log info done -", "status info done",
        "tail a.log", "log info done --experimental-dump-help", "---completion log --logger",
    ])
    func `everything else is left to the argument parser`(line: String) {
        #expect(LogRequest(line.split(separator: " ").map(String.init)) == nil)
    }
}
#endif
