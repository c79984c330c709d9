import CLinux
import CarrySystem

/// `carry test`, with a script of Tests/Fixtures/scripts before a program.
package struct ScriptTest {
  /// 0 if everything came as the script expects.
  package let status: CInt?
  /// What the script expects, and what came of it.
  package let results: [String]
  /// What the program printed until it was ended.
  package let output: [String]

  package init(_ script: String, before program: [String], environment: [String: String?]) throws {
    let folder = try TestFolder("script")
    // Programs look for the name that the installed library has.
    symlink(try Checkout.program("libcarryabi.so"), folder.path + "/libcarry.so.0")
    let test = try ChildProcess(
      [
        try Checkout.program("carry"), "test", "--keep", folder.path + "/kept",
        Checkout.fixtures + "/scripts/\(script).gestures", "--",
        program.map { "'\($0)'" }.joined(separator: " ") + " >'\(folder.path)/output'",
      ], environment: ["LD_LIBRARY_PATH": folder.path].merging(environment) { $1 }, output: .pipe)
    // It is silent until a script is over.
    var results: [String] = []
    while let line = test.readLine(seconds: 120) { results.append(line) }
    self.results = results
    status = test.waitForExit(seconds: 10)
    let bytes = try Files.read(folder.path + "/output", limit: 1 << 20)
    output = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
