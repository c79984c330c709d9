import CarryTesting

extension Desktop {
  /// Settings with which previews fly long enough to be looked at on a busy machine.
  static let slowFlights = "[animation]\ncancel-ms = 5000\ndrop-ms = 1500\n"

  /// Starts `carry` with a command of its; its output can be read.
  func tool(_ arguments: String...) throws -> ChildProcess { try start("carry", arguments) }

  func tool(_ arguments: [String]) throws -> ChildProcess { try start("carry", arguments) }

  func source(_ more: String..., geometry: String = "300x300+50+250") throws -> ChildProcess {
    try tool(["drag", "--with-engine", "--json", "--geometry", geometry] + more)
  }

  func target(_ more: String..., geometry: String = "300x300+850+250") throws -> ChildProcess {
    try tool(["drop", "--with-engine", "--json", "--geometry", geometry] + more)
  }

  /// Starts `carry` as a program that sees other files than the engine, as those in sandboxes do; or as one that does
  /// not. Its output and its errors can be read.
  func tool(inSandbox isInSandbox: Bool, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      ["sh", "-c", "exec \"$@\" 2>&1", "sh"] + (isInSandbox ? ["unshare", "-r", "-m"] : [])
        + [try Checkout.program("carry")] + arguments,
      environment: ["DISPLAY": server.display, "CARRY_SOCKET": socket], output: .pipe)
  }

  /// Waits until the engine knows a region at a place of the screen.
  func region(at x: Int, _ y: Int, seconds: Double = 20) -> Bool {
    let place = #/"x": (-?\d+), "y": (-?\d+), "width": (\d+), "height": (\d+)/#
    return Wait.until(seconds: seconds) {
      let lines = (try? tool("regions", "--json").remainingLines()) ?? []
      return lines.contains { line in
        guard let m = line.firstMatch(of: place)?.output else { return false }
        guard let left = Int(m.1), let top = Int(m.2), let width = Int(m.3), let height = Int(m.4) else { return false }
        return (left..<left + width).contains(x) && (top..<top + height).contains(y)
      }
    }
  }

  /// Waits for a step of one session.
  func step(_ event: String, ofSession number: Int, seconds: Double = 15) -> Bool {
    monitor.readLine(seconds: seconds) {
      $0.contains("\"event\": \"\(event)\"") && $0.contains("\"session\": \(number),")
    } != nil
  }

  /// The next step of any session on the monitor, if there is one.
  func anyStep() -> String? { monitor.readLine(seconds: 0.02) { _ in true } }

  func color(_ x: Int, _ y: Int) -> Screenshot.Color { client.screenshot()?[x, y] ?? .init(-1, -1, -1) }
}

/// The event words of JSON lines, in order.
func events(_ lines: [String]) -> [String] {
  lines.compactMap { line in
    guard let start = line.firstRange(of: "\"event\": \"") else { return nil }
    return String(line[start.upperBound...].prefix { $0 != "\"" })
  }
}

extension String {
  /// The first place of another string; the standard library's own search needs Foundation or regular expressions.
  fileprivate func firstRange(of other: String) -> Range<Index>? {
    var i = startIndex
    while i < endIndex {
      if self[i...].hasPrefix(other) { return i..<index(i, offsetBy: other.count) }
      i = index(after: i)
    }
    return nil
  }
}

extension Array where Element: Equatable {
  /// The list without repeats of an element right behind itself.
  var collapsed: [Element] { reduce(into: []) { if $0.last != $1 { $0.append($1) } } }
}
