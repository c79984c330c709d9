import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// Texts as an application writes them, with the layer for text.
  @Suite(.serialized) struct Texts {
    /// Lines of equally wide characters, in ASCII.
    private final class Page: TextDelegate {
      static let (width, height) = (10, 30)
      let client: Client
      private(set) var text: TextRegion?
      var string: String
      var selection: Range<Int>?
      var calls: [String] = []
      var carets: Set<Int> = []
      /// Where presses were asked about.
      var presses = 0

      init(_ d: Desktop, _ name: String, x: Double, _ string: String) throws {
        self.string = string
        client = try Client(name: name, socket: d.socket)
        let window = d.client.makeWindow(CarryModel.Rect(x: x, y: 250, width: 300, height: 300), color: 0x336699).raw
        d.client.sync()
        text = TextRegion(
          client: client, window: window, frame: .init(x: 0, y: 0, width: 300, height: 300), delegate: self)
      }

      private var lines: [Range<Int>] {
        var (start, list) = (0, [Range<Int>]())
        for line in string.split(separator: "\n", omittingEmptySubsequences: false) {
          list.append(start..<start + line.utf8.count)
          start += line.utf8.count + 1
        }
        return list
      }

      func text(_ text: TextRegion, offsetAt point: Carry.Point) -> Int {
        let line = lines[max(0, min(lines.count - 1, Int(point.y) / Self.height))]
        return line.lowerBound + max(0, min(line.count, (Int(point.x) + Self.width / 2) / Self.width))
      }
      func text(_ text: TextRegion, lineRectsOf range: Range<Int>) -> [Carry.Rect] {
        lines.enumerated().compactMap { y, line in
          let part = range.clamped(to: line)
          guard
            range.isEmpty ? line.lowerBound <= range.lowerBound && range.lowerBound <= line.upperBound : !part.isEmpty
          else { return nil }
          return .init(
            x: (part.lowerBound - line.lowerBound) * Self.width, y: y * Self.height,
            width: max(1, part.count * Self.width), height: Self.height)
        }
      }
      func text(_ text: TextRegion, stringIn range: Range<Int>) -> String {
        String(decoding: Array(string.utf8)[range], as: UTF8.self)
      }
      func text(_ text: TextRegion, replace range: Range<Int>, with new: String) {
        var bytes = Array(string.utf8)
        bytes.replaceSubrange(range, with: Array(new.utf8))
        string = String(decoding: bytes, as: UTF8.self)
        calls.append("changed")
      }
      func text(_ text: TextRegion, rangeToLiftAt point: Carry.Point) -> Range<Int>? {
        presses += 1
        guard let selection, self.text(text, lineRectsOf: selection).contains(where: { $0.contains(point) }) else {
          return nil
        }
        return selection
      }
      func text(_ text: TextRegion, sessionWillBegin session: DragSession) { calls.append("lifted") }
      func text(_ text: TextRegion, session: DragSession, didEndWith operation: Carry.DropOperation) {
        calls.append("ended \(operation)")
      }
      func textNeedsDisplay(_ text: TextRegion) { carets.formUnion(text.dropCarets) }
    }

    private func run(_ pages: Page..., until isOver: () -> Bool) -> Bool {
      Wait.until(seconds: 20, descriptor: pages[0].client.fileDescriptor) {
        for page in pages { try? page.client.dispatch() }
        return isOver()
      }
    }

    @Test("C10, Z35: a selection moves within its text to the caret above the finger; other presses are the program's")
    func C10_Z35_aSelectionMoves() throws {
      var s = Traces.screen
      // Beside the selection, then on its second line; down to the end of the text.
      let beside = s.down(50 + 250, 250 + 15, at: 0)
      s.up(beside, at: 900)
      s.carry(from: (50 + 25, 250 + 45), at: 1500, .to(50 + 290, 250 + 100, 2200...2500), upAt: 3200)
      let d = try Desktop(s, compositor: nil)
      let page = try Page(d, "page", x: 50, "one two\nthree four\nfive")
      page.selection = 4..<13
      #expect(run(page) { page.calls.last?.hasPrefix("ended") == true }, "\(page.calls)")
      #expect(page.calls == ["lifted", "changed", "changed", "ended move"])
      #expect(page.string == "one  four\nfivetwo\nthree")
      #expect(page.presses >= 2 && page.carets.contains(23))
      #expect(d.playToTheEnd() == 0)
    }

    @Test("C10, X1: text is copied into another text, and nothing is dropped into itself") func C10_X1_copies() throws {
      var s = Traces.screen
      s.carry(from: (50 + 15, 250 + 15), at: 0, .to(50 + 15, 250 + 35, 700...900), upAt: 1500)
      s.carry(from: (50 + 15, 250 + 15), at: 3500, .to(850 + 31, 250 + 40, 4200...4500), upAt: 5000)
      let d = try Desktop(s, compositor: nil)
      let source = try Page(d, "source", x: 50, "letters")
      let target = try Page(d, "target", x: 850, "here: it goes")
      source.selection = 0..<7
      let isOver = run(source, target) {
        source.calls.count { $0.hasPrefix("ended") } == 2 && target.calls.contains("changed")
      }
      #expect(isOver, "\(source.calls) \(target.calls)")
      #expect(source.calls == ["lifted", "ended cancel", "lifted", "ended copy"])
      #expect(target.string == "herletterse: it goes" && source.string == "letters")
      #expect(d.playToTheEnd() == 0)
    }

    @Test("C10: text that arrives late goes to the end of a text that has become shorter meanwhile")
    func C10_aShorterText() throws {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(850 + 120, 250 + 40, 700...1000), upAt: 1600)
      let d = try Desktop(s, compositor: nil)
      let source = try App(d, "source")
      source.takePlaces(isTarget: false)
      let target = try Page(d, "target", x: 850, "here: it goes")
      source.items = {
        let provider = ItemProvider()
        provider.registerRequests(forType: "text/plain;charset=utf-8") { request in
          target.string = "gone"
          request.answer(.success(.data(Array("!".utf8))))
        }
        return [Carry.DragItem(itemProvider: provider)]
      }
      let isOver = source.run(seconds: 20) {
        try? target.client.dispatch()
        return target.calls == ["changed"]
      }
      #expect(isOver && target.string == "gone!")
      #expect(d.playToTheEnd() == 0)
    }
  }
}

extension Carry.Rect {
  fileprivate func contains(_ p: Carry.Point) -> Bool {
    (Double(x)..<Double(x + width)).contains(p.x) && (Double(y)..<Double(y + height)).contains(p.y)
  }
}
