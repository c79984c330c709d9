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
      #expect(knowing.cachedOwner(of: one.window) == .process(getpid()))
      #expect(knowing.cachedOwner(of: other.window) == .process(getpid()))
      guard case .process(let process) = knowing.cachedOwner(of: xclip) else {
        throw Problem("the X server does not know")
      }
      #expect(process != getpid() && process > 0)
      #expect(one.x.cachedOwner(of: one.window) != one.x.cachedOwner(of: other.window))
    }

    @Test("Z1: what fits into one piece, or is for no window, goes on when all has come")
    func Z1_notWhileItComes() throws {
      let s = try SelectionScene()
      let before = s.owner.x.selectedCount
      #expect(s.begin(6 << 20, at: "SMALL") == nil && s.begin(64 << 20, at: "NOBODYS", of: 0x1234_0000) == nil)
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
