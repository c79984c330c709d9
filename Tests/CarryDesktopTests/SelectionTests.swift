import CLinux
import CX11
import CarryModel
import CarrySelections
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension DesktopTests {
  /// Data of selections, with the other program's part played by the test: what lies in the X server, and what is kept.
  @Suite(.serialized) struct Selections {
    @Test("Z9: of much data for one program a bounded part lies in the X server, and the rest comes in parts")
    func Z9_manyPieces() throws {
      let s = try SelectionScene()
      for i in 0..<4 { s.answer(6 << 20, at: "PART\(i)") }
      #expect(s.lies("PART0") == ("image/png", 6 << 20) && s.lies("PART1") == ("image/png", 6 << 20))
      #expect(s.lies("PART2") == ("INCR", 4) && s.lies("PART3") == ("INCR", 4))
      // What is taken makes room.
      for i in 0..<4 { s.asker.take(s.asker.x.atom("PART\(i)")) }
      s.turn()
      #expect(s.lies("PART2") == ("image/png", SelectionServer.part))
      s.answer(6 << 20, at: "PART0")
      #expect(s.lies("PART0") == ("image/png", 6 << 20))
      // Small data goes in one piece in any case.
      s.answer(100, at: "SMALL")
      #expect(s.lies("SMALL") == ("image/png", 100))
    }

    @Test("Z1: a program that takes nothing of what it has asked for leaves others their places")
    func Z1_placesForOthers() throws {
      let s = try SelectionScene()
      let other = try SelectionSide(s.server)
      for i in 0..<100 { s.answer(17 << 10, at: "P\(i)") }
      #expect(s.lies("P63") == ("image/png", 17 << 10) && s.lies("P64") == ("INCR", 4))
      // As many parts, and no more.
      #expect(s.lies("P79") == ("INCR", 4) && s.lies("P80").name == nil)
      for property in ["WHOLE", "TOO"] { s.answer(4 << 20, at: property, of: other.window) }
      #expect(other.type(of: other.x.atom("WHOLE")) == ("image/png", 4 << 20))
      #expect(other.type(of: other.x.atom("TOO")) == ("image/png", 4 << 20))
      s.answer(20 << 20, at: "LARGE", of: other.window)
      #expect(other.type(of: other.x.atom("LARGE")) == ("INCR", 4))
      // Writers, too.
      let writers = (0..<3).map { s.begin(2 << 20, at: "W\($0)") }
      #expect(writers.allSatisfy { $0 == nil } && s.begin(2 << 20, at: "W", of: other.window) != nil)
    }

    @Test("all connections of a process are one program; another process is another one") func programs()
      throws
    {
      let s = try ClipboardScene()
      try s.copy([1], as: "image/png")
      let (one, other) = (try SelectionSide(s.server), try SelectionSide(s.server))
      let xclip = one.x.owner(of: one.x.atom("CLIPBOARD"))
      let root = xcb_setup_roots_iterator(xcb_get_setup(one.raw)).data.pointee.root
      let knowing = SelectionConnection(one.raw, root: root)
      #expect(knowing.makerInTurn(of: one.window) == .process(getpid()))
      #expect(knowing.makerInTurn(of: other.window) == .process(getpid()))
      guard case .process(let process) = knowing.makerInTurn(of: xclip) else {
        throw Problem("the X server does not know")
      }
      #expect(process != getpid() && process > 0)
      #expect(one.x.makerInTurn(of: one.window) != one.x.makerInTurn(of: other.window))
    }

    /// What of a large answer comes, in pieces.
    enum Coming: CaseIterable { case all, half, more, tooLate, nothing }

    @Test(
      "Z1: data goes on to a program while it comes, and the program hears of it when all has; a half is nothing",
      arguments: Coming.allCases, [0, 3])
    func Z1_whileItComes(_ coming: Coming, _ more: Int) throws {
      let s = try SelectionScene()
      let bytes = (0..<(6 << 20) + more).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
      let before = s.owner.x.selectedCount
      let writer = try #require(s.beginPiece(bytes.count, at: "DATA"))
      let count =
        switch coming {
        case .all, .tooLate: bytes.count
        case .half: bytes.count / 2
        case .more: bytes.count + 1
        case .nothing: 0
        }
      var isWritten = true
      for at in stride(from: 0, to: count, by: 1 << 18) {
        let slot = (bytes + [0])[at..<min(count, at + 1 << 18)]
        isWritten = isWritten && (try? slot.withUnsafeBytes { try writer.write($0) }) != nil
        #expect(s.isEmpty("DATA") && s.notices().isEmpty)
      }
      #expect(isWritten == (coming != .more))
      if coming == .tooLate { #expect(!s.end(writer, at: "DATA")) }
      let isFinished = (try? writer.finish()) != nil
      #expect(isFinished == (coming == .all))
      // Of what nobody waits for any more nothing is to be done.
      #expect(writer.hasFailed == (coming != .all && coming != .tooLate))
      // Who has had an answer waits for none.
      #expect(s.end(writer, at: "DATA") == (coming == .all || coming == .tooLate))
      // Not within the expectation: it would print them.
      let isRight = s.asker.bytes(of: s.asker.x.atom("DATA")) == (coming == .all ? bytes : [])
      #expect(isRight)
      #expect(s.notices() == (coming == .all ? [s.asker.x.atom("DATA")] : []))
      // It counts among what lies there until it is taken, and not where it has not come: GTK 4 wants the next type in one
      // piece.
      s.answer(11 << 20, at: "MORE")
      #expect((s.lies("MORE").name == "INCR") == (coming == .all))
      for property in ["DATA", "MORE"] { s.asker.take(s.asker.x.atom(property)) }
      s.turn()
      while s.selection.isDelivering {
        s.asker.take(s.asker.x.atom("MORE"))
        s.turn()
      }
      #expect(s.owner.x.selectedCount == before)
    }

    @Test("Z1: what is written while it comes counts until it is told, and ends with the requestor")
    func Z1_oneWriterForAProperty() throws {
      let s = try SelectionScene()
      let bytes = [UInt8](repeating: 7, count: 2 << 20)
      let writer = try #require(s.beginPiece(bytes.count, at: "DATA"))
      // What a program writes and deletes by itself.
      s.asker.x.set([1], as: s.asker.x.atom("INTEGER"), s.asker.x.atom("DATA"), of: s.asker.window)
      s.asker.take(s.asker.x.atom("DATA"))
      s.turn()
      #expect(s.begin(bytes.count, at: "DATA") == nil)
      let other = try #require(s.beginPiece(bytes.count, at: "OTHER"))
      #expect(s.begin(bytes.count, at: "MORE") == nil)
      #expect(!s.end(other, at: "OTHER"))
      s.selection.windowGone(s.asker.window)
      #expect(throws: NobodyTakesIt.self) { try bytes.withUnsafeBytes { try writer.write($0) } }
      #expect(s.end(writer, at: "DATA"))
      #expect(s.isEmpty("DATA") && s.notices().isEmpty)
      #expect(s.begin(bytes.count, at: "DATA") != nil)
    }

    @Test("Z1: a program that has the X server for itself keeps data waiting for a while, and then no longer")
    func Z1_aServerThatTakesNothing() throws {
      let s = try SelectionScene()
      let bytes = [UInt8](repeating: 7, count: 4 << 20)
      let writer = try #require(s.beginPiece(bytes.count, at: "DATA"))
      let other = try #require(s.beginPiece(bytes.count, at: "OTHER"))
      s.asker.takeServer()
      for one in [writer, other] {
        #expect(throws: NobodyTakesIt.self) { try bytes.withUnsafeBytes { try one.write($0) } }
        #expect(one.hasFailed)
      }
      s.asker.giveServerBack()
      #expect(!s.end(writer, at: "DATA") && !s.end(other, at: "OTHER"))
      #expect(s.isEmpty("DATA") && s.notices().isEmpty)
    }

    @Test("Z1: what is small, or for no window, goes on when all has come")
    func Z1_notWhileItComes() throws {
      let s = try SelectionScene()
      let before = s.owner.x.selectedCount
      #expect(s.begin(1000, at: "SMALL") == nil && s.begin(64 << 20, at: "NOBODYS", of: 0x1234_0000) == nil)
      #expect(s.begin(6 << 20, at: "NOBODYS", of: 0x1234_0000) == nil)
      #expect(s.owner.x.selectedCount == before)
    }

    @Test("Z9: a request for several types names a property once: else all of them could be the same large one")
    func Z9_onePropertyForMany() throws {
      let s = try SelectionScene()
      func parts(_ properties: [String]) -> Int {
        let pairs = properties.flatMap { [s.asker.x.atom("image/png"), s.asker.x.atom($0)] }
        s.asker.x.set(pairs, as: s.asker.x.atom("ATOM_PAIR"), s.asker.x.atom("PAIRS"), of: s.asker.window)
        s.asker.sync()
        let request = SelectionServer.Request(
          requestor: s.asker.window, property: s.owner.x.atom("PAIRS"), target: s.owner.x.atom("MULTIPLE"), time: 0,
          selection: s.owner.x.atom("CLIPBOARD"))
        return s.selection.parts(of: request).count
      }
      #expect(parts(["A", "B", "C"]) == 3)
      #expect(parts(["A", "B", "A"]) == 0)
      #expect(parts(Array(repeating: "A", count: 256)) == 0)
    }

    @Test("Z9: nothing is kept of a requestor whose delivery is over, or that never existed")
    func Z9_requestorsOfOnce() throws {
      let s = try SelectionScene()
      let before = s.owner.x.selectedCount
      for i in 0..<50 { s.answer(20 << 20, at: "PART", of: 0x1234_0000 + UInt32(i)) }
      #expect(s.owner.x.selectedCount == before && !s.selection.isDelivering)
      s.answer(20 << 20, at: "PART")
      #expect(s.lies("PART") == ("INCR", 4) && s.owner.x.selectedCount > before)
      while s.selection.isDelivering {
        s.asker.take(s.asker.x.atom("PART"))
        s.turn()
      }
      s.asker.take(s.asker.x.atom("PART"))
      // All has come, and the end has been told.
      #expect(s.lies("PART").name == nil)
      s.selection.advance(to: s.now + SelectionServer.patience)
      #expect(s.owner.x.selectedCount == before && !s.selection.isDelivering)
      // The owner hears of the requestor's window no more.
      s.turn()
      s.answer(100, at: "LATER")
      s.asker.take(s.asker.x.atom("LATER"))
      s.owner.sync()
      #expect(xcb_poll_for_event(s.owner.raw) == nil)
    }

    @Test("Z1: all that other programs hand over at the same time has one bound, and nobody gets all of it")
    func Z1_budget() throws {
      let s = try SelectionScene()
      let budget = DataBudget(900)
      let readers = ["CLIPBOARD", "PRIMARY"].map { SelectionReader(s.owner.x, of: $0, budget: budget) }
      var kept: [ReceivedData] = []
      var failures: [IncomingData.Failure] = []
      func receive(
        _ count: Int, by reader: SelectionReader, _ selection: String, for group: DataBudget.Group? = nil
      ) {
        let window = reader.convert(to: [.init("image/png", .none)], time: 0, for: group, at: s.now) { result in
          switch result {
          case .success(let data): kept.append(data)
          case .failure(let why): failures.append(why)
          }
        }
        let (property, type) = (s.owner.x.atom("CARRY_DATA"), s.owner.x.atom("image/png"))
        s.owner.x.set([UInt8](repeating: 1, count: count)[...], as: type, property, of: window)
        reader.answered(s.owner.x.atom(selection), to: window, property: property, at: s.now)
      }
      // A ninth is not for those who hold much.
      receive(401, by: readers[0], "CLIPBOARD")
      #expect(failures == [.tooLarge] && budget.left == 900)
      receive(400, by: readers[0], "CLIPBOARD")
      #expect(kept.count == 1 && budget.left == 500)
      receive(201, by: readers[1], "PRIMARY")
      #expect(failures == [.tooLarge, .tooLarge] && budget.left == 500)
      for (count, left) in [(200, 300), (100, 200), (50, 150), (25, 125), (12, 113), (6, 107), (3, 104)] {
        receive(count, by: readers[1], "PRIMARY")
        #expect(budget.left == left)
      }
      // Each may have a little of it, whatever others hold.
      for i in 1...10 {
        receive(3, by: readers[1], "PRIMARY")
        #expect(budget.left == 104 - 3 * i)
      }
      receive(4, by: readers[1], "PRIMARY")
      #expect(failures.count == 3)
      // And those of one drag have it together.
      let group = readers[1].group()
      for count in [2, 2, 1] { receive(count, by: readers[1], "PRIMARY", for: group) }
      #expect(failures.count == 4 && budget.left == 71)
      kept = []
      #expect(budget.left == 900)
    }
  }
}
