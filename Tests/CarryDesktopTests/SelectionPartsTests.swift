import CarryModel
import CarrySelections
import CarrySystem
import CarryTesting
import Synchronization
import Testing

extension DesktopTests {
  /// Data that goes to a program in parts while it still comes.
  @Suite(.serialized) struct SelectionParts {
    private let bytes = (0..<(5 << 20) + 3).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
    /// What is said to come.
    private let said = 20 << 20

    /// The asker takes what lies there, and the owner hears of it.
    private func take(_ s: SelectionScene) -> [UInt8] {
      let property = s.asker.x.atom("DATA")
      let part = s.asker.bytes(of: property)
      s.asker.take(property)
      s.turn()
      return part
    }

    private func write(_ count: Int, _ writer: PartsWriter) throws {
      try bytes[..<count].withUnsafeBytes { try writer.write($0) }
    }

    /// Writes all of it on a thread, and says in the end whether that went well.
    private func writeAside(_ writer: PartsWriter) throws -> AsideAnswer<Bool> {
      try AsideAnswer { [bytes] in
        for at in stride(from: 0, to: bytes.count, by: 1 << 18) {
          let slot = bytes[at..<min(bytes.count, at + 1 << 18)]
          guard (try? slot.withUnsafeBytes { try writer.write($0) }) != nil else { return false }
        }
        return true
      }
    }

    @Test("Z1: what is too large for one piece goes on in parts while it comes, and the end is told when all has")
    func Z1_partsWhileTheyCome() throws {
      let s = try SelectionScene()
      let before = s.owner.x.selectedCount
      let calls = Mutex(0)
      let writer = try #require(s.begin(said, at: "DATA") { calls.withLock { $0 += 1 } })
      #expect(s.lies("DATA") == ("INCR", 4) && s.notices() == [s.asker.x.atom("DATA")])
      _ = take(s)
      #expect(s.lies("DATA").name == nil)
      // The program waits: it gets what there is.
      try write(1000, writer)
      #expect(calls.withLock { $0 } == 1)
      s.partIsThere(at: "DATA")
      #expect(s.lies("DATA") == ("image/png", 1000))
      var got = take(s)
      // It does not: one part is kept ready, and whoever writes waits.
      let isWritten = try writeAside(writer)
      #expect(Wait.until { calls.withLock { $0 } == 2 })
      s.partIsThere(at: "DATA")
      #expect(Wait.until { writer.count > SelectionServer.part })
      s.partIsThere(at: "DATA")
      while isWritten.get() == nil || !s.isEmpty("DATA") {
        let part = take(s)
        got += part
        #expect(part.count <= SelectionServer.part && writer.count - got.count <= 2 * SelectionServer.part)
        s.partIsThere(at: "DATA")
      }
      #expect(isWritten.get() == true && s.selection.isDelivering)
      #expect(s.end(writer, at: "DATA", hasAllCome: true))
      while s.selection.isDelivering { got += take(s) }
      #expect(s.lies("DATA") == ("image/png", 0))
      #expect(take(s).isEmpty)
      // Not within the expectation: it would print them.
      let isRight = got == bytes[..<1000] + bytes
      #expect(isRight && !s.selection.isDelivering && s.owner.x.selectedCount == before)
      #expect(s.isEmpty("DATA") && s.notices().isEmpty)
    }

    @Test("Z1: the rest of what has come goes before the end") func Z1_theRest() throws {
      let s = try SelectionScene()
      let writer = try #require(s.begin(said, at: "DATA"))
      try write(SelectionServer.part, writer)
      writer.close()
      #expect(s.end(writer, at: "DATA", hasAllCome: true))
      #expect(s.lies("DATA") == ("INCR", 4))
      _ = take(s)
      #expect(s.lies("DATA") == ("image/png", SelectionServer.part))
      _ = take(s)
      #expect(s.lies("DATA") == ("image/png", 0) && !s.selection.isDelivering)
    }

    @Test("Z1: of what comes by half the end is never told, and nobody waits to write the rest")
    func Z1_halfInParts() throws {
      let s = try SelectionScene()
      let before = s.owner.x.selectedCount
      let writer = try #require(s.begin(said, at: "DATA"))
      _ = take(s)
      let isWritten = try writeAside(writer)
      #expect(Wait.until { writer.count == SelectionServer.part })
      #expect(isWritten.get() == nil)
      // To be refused now.
      #expect(!s.end(writer, at: "DATA", hasAllCome: false))
      #expect(!s.selection.isDelivering && s.owner.x.selectedCount == before)
      #expect(isWritten.get(within: .seconds(30)) == false)
      s.partIsThere(at: "DATA")
      #expect(s.isEmpty("DATA"))
      // The same property can have other data, with which the load of before has nothing to do.
      let next = try #require(s.begin(said, at: "DATA"))
      #expect(s.end(writer, at: "DATA", hasAllCome: true) && s.selection.isDelivering)
      _ = take(s)
      #expect(s.isEmpty("DATA"))
      try write(1000, next)
      s.partIsThere(at: "DATA")
      #expect(s.lies("DATA") == ("image/png", 1000))
    }

    @Test("Z1: a program that takes no part is given up, a slow source is not, and a window that goes gets none")
    func Z1_whoRests() throws {
      let s = try SelectionScene()
      let before = s.owner.x.selectedCount
      let rests = try #require(s.begin(said, at: "DATA"))
      try write(SelectionServer.part, rests)
      #expect(s.selection.nextDeadline == s.now + SelectionServer.patience)
      _ = take(s)
      // A part lies there.
      #expect(s.selection.nextDeadline == s.now + SelectionServer.patience)
      _ = take(s)
      #expect(s.selection.nextDeadline == nil && s.selection.isDelivering)
      let isWritten = try writeAside(rests)
      #expect(Wait.until { rests.count == 2 * SelectionServer.part })
      s.partIsThere(at: "DATA")
      s.selection.advance(to: s.now + SelectionServer.patience)
      #expect(!s.selection.isDelivering && s.owner.x.selectedCount == before)
      #expect(isWritten.get(within: .seconds(30)) == false)
      _ = take(s)
      #expect(s.end(rests, at: "DATA", hasAllCome: true) && s.isEmpty("DATA"))

      let writer = try #require(s.begin(said, at: "DATA"))
      let isWaiting = try writeAside(writer)
      s.selection.windowGone(s.asker.window)
      s.owner.x.forget(s.asker.window)
      #expect(isWaiting.get(within: .seconds(30)) == false)
      #expect(s.end(writer, at: "DATA", hasAllCome: true) && s.owner.x.selectedCount == before)
      #expect(!s.selection.isDelivering)
    }

    @Test("Z1: who asks anew at a property gets nothing more of what was to come there")
    func Z1_askedAnewThere() throws {
      let s = try SelectionScene()
      let before = s.owner.x.selectedCount
      let writer = try #require(s.begin(said, at: "DATA"))
      _ = take(s)
      s.answer(1000, at: "DATA")
      let isWritten = try writeAside(writer)
      #expect(isWritten.get(within: .seconds(30)) == false)
      s.partIsThere(at: "DATA")
      #expect(s.lies("DATA") == ("image/png", 1000) && !s.selection.isDelivering)
      #expect(s.owner.x.selectedCount == before)
      // It is not refused what it does not wait for.
      #expect(s.end(writer, at: "DATA", hasAllCome: false))
      s.answer(20 << 20, at: "DATA")
      s.answer(20 << 20, at: "DATA")
      #expect(s.lies("DATA") == ("INCR", 4))
      // Already when it asks, whatever the answer.
      s.ask(at: "DATA")
      #expect(!s.selection.isDelivering && s.owner.x.selectedCount == before)
    }

    @Test(
      "Z1, Z9: what was asked for first at a property, and is slow, does not come in the place of what was asked for next"
    )
    func Z1_Z9_passedOver() throws {
      let s = try SelectionScene()
      let data = s.asker.x.atom("DATA")
      let slow = s.ask(for: "text/plain", at: "DATA")
      let large = s.ask(at: "DATA")
      s.answer(large, [UInt8](repeating: 7, count: 20 << 20))
      #expect(s.notices() == [data])
      _ = take(s)
      s.answer(slow, [1, 2, 3])
      s.selection.refuse(slow)
      #expect(s.selection.beginAnswer(slow, 20 << 20, at: s.now) {} == nil)
      #expect(s.lies("DATA") == ("image/png", SelectionServer.part) && s.selection.isDelivering && s.notices().isEmpty)
    }

    @Test("Z1: what lay at a property before, and is deleted late, is not taken for the announcement of parts")
    func Z1_deletedLate() throws {
      let s = try SelectionScene()
      // From here on the owner hears of the asker's properties.
      _ = try #require(s.begin(said, at: "OTHER"))
      s.asker.x.set([1, 2, 3], as: s.asker.x.atom("image/png"), s.asker.x.atom("DATA"), of: s.asker.window)
      s.asker.take(s.asker.x.atom("DATA"))
      let writer = try #require(s.begin(said, at: "DATA"))
      try write(1000, writer)
      s.turn()
      #expect(s.lies("DATA") == ("INCR", 4))
      _ = take(s)
      #expect(s.lies("DATA") == ("image/png", 1000))
    }

    @Test("Z1: what comes in parts counts with what is held of it, and leaves others their places")
    func Z1_partsAreCounted() throws {
      let s = try SelectionScene()
      let other = try SelectionSide(s.server)
      let writers = (0..<20).map { s.begin($0 == 0 ? .max : 100 << 20, at: "P\($0)") }
      #expect(writers.count { $0 != nil } == 16)
      let another = s.begin(300 << 20, at: "P", of: other.window)
      #expect(another != nil)
    }
  }
}
