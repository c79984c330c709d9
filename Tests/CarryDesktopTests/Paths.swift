import CarrySystem
import Testing

/// Where things are.
enum Paths {
  static let root: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  static let fixtures = root + "/Tests/Fixtures"

  /// The built programs lie beside the test runner.
  static func program(_ name: String) throws -> String {
    let candidates =
      [environment("CARRY_BUILD_DIR")].compactMap { $0 } + [
        root + "/.build/debug", root + "/.build/release",
      ]
    return try #require(
      candidates.map { $0 + "/" + name }.first { Files.exists($0) },
      "\(name) is not built; run 'swift build' first")
  }
}
