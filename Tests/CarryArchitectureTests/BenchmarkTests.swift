import CarryTesting
import Testing

/// `make bench` is run by hand, and so nobody would see that it no longer builds.
@Suite struct BenchmarkTests {
  @Test("the benchmarks' programs in C compile") func theirProgramsCompile() throws {
    let sources = ["Touch/touch.c", "Growing/growing.c"].map { "'\(Checkout.root)/Benchmarks/\($0)'" }
    let folders = ["\(Checkout.root)/Tests/Support/CInputTest/include", Checkout.headers].map { "-I'\($0)'" }
    let words = ["gcc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only"] + folders + sources
    let build = try ChildProcess(["sh", "-c", words.joined(separator: " ")], output: .inherit)
    #expect(build.waitForExit(seconds: 120) == 0)
  }
}
