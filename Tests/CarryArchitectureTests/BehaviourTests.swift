import CarrySystem
import CarryTesting
import Testing

/// docs/behaviour.md says what there is, and which tests say so.
@Suite struct BehaviourTests {
  private struct Row {
    var id: String
    var state: String
    var tests: [String]
  }

  private static func rows() throws -> [Row] {
    let text = try Checkout.text("docs/behaviour.md")
    return text.split(separator: "\n").compactMap { line -> Row? in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        String($0).trimmed
      }
      // "| id | … | state | tests |": an empty cell on either side.
      guard cells.count >= 6, cells[1].first?.isUppercase == true, cells[1].contains(where: \.isNumber),
        cells[1].allSatisfy({ $0.isNumber || $0.isLetter })
      else { return nil }
      let tests = cells[cells.count - 2].split(separator: ",").map { String($0).trimmed.filter { $0 != "`" } }
      return Row(id: cells[1], state: cells[cells.count - 3], tests: tests)
    }
  }

  @Test("each row of the table has a state, and tests where it is done")
  func eachRowHasAStateAndTests() throws {
    let rows = try Self.rows()
    #expect(rows.count > 250)
    #expect(Set(rows.map(\.id)).count == rows.count, "a row stands there twice")
    for row in rows {
      let state = row.state.split(separator: ":").first.map(String.init) ?? ""
      #expect(["done", "partly", "not yet", "none"].contains(state), "\(row.id): \(row.state)")
      #expect(state != "done" || !row.tests.isEmpty, "\(row.id) is done, and nothing says so")
    }
  }

  @Test("the tests that the table names are there, and bear the row's id")
  func theTestsAreThere() throws {
    for row in try Self.rows() {
      let sources = try row.tests.map { try Checkout.text("Tests/\($0).swift") }
      #expect(
        sources.isEmpty || row.state != "done" || sources.contains { Self.bears(row.id, $0) },
        "\(row.tests): no test bears \(row.id)")
    }
  }

  @Test("the ids with which titles of tests begin are rows of the table") func idsAreRows() throws {
    let rows = Set(try Self.rows().map(\.id))
    let child = try ChildProcess(["find", Checkout.root + "/Tests", "-name", "*.swift"], output: .pipe)
    var listed: [String] = []
    while let line = child.readLine(seconds: 20) { listed.append(line) }
    #expect(listed.count > 200)
    for file in listed {
      let text = String(decoding: try Files.read(file, limit: 1 << 20), as: UTF8.self)
      for test in text.split(separator: "@Test(").dropFirst() {
        let title = test.drop { $0.isWhitespace }
        guard title.first == "\"" else { continue }
        // "Z1, Z20: what is tested"
        guard let colon = title.prefix(60).firstIndex(of: ":") else { continue }
        let ids = title[..<colon].dropFirst().split(separator: ", ", omittingEmptySubsequences: false)
        guard ids.allSatisfy(Self.isID) else { continue }
        for id in ids { #expect(rows.contains(String(id)), "\(file): \(title.prefix(60))") }
      }
    }
  }

  private static func isID(_ word: Substring) -> Bool {
    let letters = word.prefix { $0.isUppercase }
    let digits = word.dropFirst(letters.count)
    return (1...3).contains(letters.count) && !digits.isEmpty && digits.allSatisfy(\.isNumber)
  }

  /// Whether an id stands in the title or the name of a test, as a word of its own.
  private static func bears(_ id: String, _ source: String) -> Bool {
    source.split(separator: "\n").contains { line in
      guard line.contains("@Test") || line.contains("func ") || line.contains("\"") else { return false }
      return line.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains { $0 == id }
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    var s = Substring(self)
    while s.first == " " { s.removeFirst() }
    while s.last == " " { s.removeLast() }
    return String(s)
  }
}
