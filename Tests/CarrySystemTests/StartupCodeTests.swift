import CLinux
import CarryModel
import CarrySystem
import Testing

/// The memory that only the start of a process needs.
@Suite struct StartupCodeTests {
  /// How much of files that nothing has changed is in this process's memory, in KiB: code and constants.
  private static func residentOfFiles() throws -> Int {
    var sizes: [String: Int] = [:]
    let text = String(decoding: try Files.readAll("/proc/self/smaps_rollup", limit: 65_536), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3, let size = Int(words[1]) { sizes[String(words[0])] = size }
    }
    return try #require(sizes["Rss:"]) - #require(sizes["Anonymous:"])
  }

  @Test("once a process has started, its code and constants are given back, and it goes on")
  func givesBackAfterTheStart() async {
    // In a process of its own, whose other threads need little code.
    await #expect(processExitsWith: .success) {
      var code = StartupCode(at: .zero)
      let before = try Self.residentOfFiles()
      code.advance(to: .zero)
      #expect(code.due != nil)
      code.advance(to: .zero + .seconds(1))
      #expect(code.due == nil)
      let after = try Self.residentOfFiles()
      #expect(after < before / 2, "\(before) KiB, then \(after) KiB")
      code.advance(to: .zero + .seconds(10))
    }
  }
}
