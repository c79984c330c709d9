import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// The shelf's window; nil where there is none.
  static func shelfWindow(on d: Desktop) -> CarryModel.WindowID? {
    d.client.children(of: d.client.root).first { d.client.name(of: $0) == "Carry shelf" }
  }

  /// Where the shelf is; nil while it is not seen.
  static func shelfFrame(on d: Desktop) -> CarryModel.Rect? {
    shelfWindow(on: d).flatMap { d.client.facts($0) }.flatMap { $0.isMapped ? $0.frame : nil }
  }

  /// The shelf's process.
  static func shelfProcess(on d: Desktop) -> Int32? {
    ProcessID.children(of: d.engine.pid).first { ProcessID.arguments(of: $0).contains("--shelf-process") }
  }
}

extension DesktopTests {
  /// Two sources, one above the other, and a target.
  final class ShelfScene {
    let d: Desktop
    let mouse: FakeMouse
    let apps: [Player]
    let target: Player
    /// What the target has got.
    private(set) var texts: [String] = []
    /// What a source may be asked for, besides its text.
    static let sources = [(x: 150, y: 150), (x: 150, y: 450)]
    static let targetPlace = (x: 600, y: 400)

    /// - Parameter edge: where the shelf appears.
    init(_ edge: String = "right") throws {
      d = try Desktop(
        compositor: nil, settings: "[lift]\nbegins-ms = 9000\ncompletes-ms = 10000\n[shelf]\nedge = \(edge)\n")
      mouse = try FakeMouse(d.server.display)
      apps = [try Player(d, "first"), try Player(d, "second")]
      target = try Player(d, "target")
      for (i, app) in apps.enumerated() {
        app.region(
          CarryModel.Rect(x: 100, y: Double(100 + 300 * i), width: 200, height: 200),
          color: 0x3040A0 + UInt32(i * 90),
          [DragInteraction(delegate: app), DropInteraction(delegate: app)])
        app.items = { _ in [DesktopTests.item(i == 0 ? "lake" : "hill")] }
      }
      target.region(
        CarryModel.Rect(x: 500, y: 300, width: 200, height: 200), color: 0x207020, [DropInteraction(delegate: target)]
      )
      target.perform = { [unowned self] in load($0) }
      mouse.move(to: 400, 50)
      for app in apps + [target] { try app.client.synchronize() }
      for _ in apps { held() }
    }

    deinit { for app in apps + [target] { app.close() } }

    private func load(_ session: DropSession) {
      session.loadItems(conformingTo: ["text/plain"]) { [unowned self] items in
        texts += items.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "nothing" }
      }
    }

    /// Waits until the gate holds clicks in one window more.
    func held() { #expect(d.engine.readLine { $0.contains("its clicks are held") } != nil) }

    /// Runs the applications until something holds.
    func run(seconds: Double = 20, _ condition: () -> Bool) -> Bool {
      Player.run(apps + [target], seconds: seconds, until: condition)
    }

    /// Lets the applications run until the monitor tells of a step.
    func step(_ name: String, seconds: Double = 20) -> Bool {
      var isThere = false
      return run(seconds: seconds) {
        if !isThere { isThere = d.step(name, seconds: 0.02) != nil }
        return isThere
      }
    }

    var frame: CarryModel.Rect? { DesktopTests.shelfFrame(on: d) }

    /// Waits until the shelf is open with so many items.
    func opens(with count: Int) -> CarryModel.Rect? {
      let height = count == 0 ? 148.0 : 76 + 92 * Double(count)
      return run { frame?.height == height } ? frame : nil
    }

    static func cell(_ n: Int, in frame: CarryModel.Rect) -> (x: Int, y: Int) {
      (Int(frame.x) + 58, Int(frame.y) + 40 + 92 * n + 40)
    }

    /// The button that puts back, beside the one that clears.
    static func undo(in frame: CarryModel.Rect) -> (x: Int, y: Int) { (Int(frame.maxX) - 33, Int(frame.maxY) - 22) }

    /// Tries again where the gate did not hold the press yet, because the region is new.
    func begin(at place: (x: Int, y: Int)) throws {
      for _ in 0..<8 {
        mouse.move(to: place.x, place.y)
        mouse.button(true)
        // So far that it is no click where nothing lifts.
        mouse.glide(from: place, to: (place.x - 25, place.y + 35))
        if step("began", seconds: 2) { return }
        mouse.button(false)
      }
      try #require(Bool(false), "nothing lifts at \(place)")
    }

    /// Lets go over a region that has been entered, once that has been there for a moment: what came under a pointer that
    /// rests takes nothing before.
    func drop(at place: (x: Int, y: Int)) throws {
      var entered: Double?
      var moves = 0
      try #require(
        run {
          if let line = d.anyStep(), let time = Self.number("t", of: line), let x = Self.number("x", of: line),
            let y = Self.number("y", of: line)
          {
            if line.contains("\"exited\"") { entered = nil }
            if line.contains("\"entered\"") { entered = time }
            // A source has been entered, too, as long as the pointer is not here.
            let isHere = abs(x - Double(place.x)) < 4 && abs(y - Double(place.y)) < 4
            if let entered, isHere, time > entered + 0.25 { return true }
          }
          moves += 1
          mouse.move(to: place.x + moves % 2, place.y)
          return false
        })
      mouse.button(false)
    }

    /// A field of a step on the monitor.
    private static func number(_ field: String, of line: String) -> Double? {
      let parts = line.split(separator: ", ").map { $0.drop { $0 == "{" } }
      return parts.first { $0.hasPrefix("\"\(field)\": ") }.flatMap { Double($0.dropFirst(field.count + 4)) }
    }

    /// Drags a source's item to the shelf, on which so many lie.
    func keep(_ source: Int, with count: Int) throws {
      try begin(at: Self.sources[source])
      let frame = try #require(opens(with: count))
      let place = (x: Int(frame.x + 50), y: Int(frame.y + 60))
      mouse.glide(from: (300, 200), to: place)
      try drop(at: place)
      try #require(opens(with: count + 1) != nil)
    }

    /// Drags from the open shelf.
    func carry(from place: (x: Int, y: Int), to goal: (x: Int, y: Int) = targetPlace) throws {
      try begin(at: place)
      mouse.glide(from: place, to: goal)
      try drop(at: goal)
    }

    /// Opens the shelf's tab by a click.
    func openTab(with count: Int) throws -> CarryModel.Rect {
      // Under the pointer it stays open.
      mouse.move(to: 400, 50)
      try #require(run { frame?.width == 30 })
      let tab = try #require(frame)
      mouse.move(to: Int(tab.center.x), Int(tab.center.y))
      mouse.click()
      return try #require(opens(with: count))
    }

    func got(_ expected: [String]) -> Bool { run { texts == expected } }
  }
}
