import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// Pictures from clients that mean no good, said by hand.
  @Suite(.serialized) struct HostilePreviews {
    private typealias R = RawClient

    /// A memfd of so many bytes with these seals.
    private func memory(_ size: Int, seals: CInt) throws -> Descriptor {
      let fd = Descriptor(owning: clinux_memfd_create("hostile"))
      try #require(fd.raw >= 0 && ftruncate(fd.raw, size) == 0)
      if seals != 0 { try #require(clinux_add_seals(fd.raw, seals) >= 0) }
      return fd
    }

    /// A client with preview 4.
    private func client(_ d: Desktop) throws -> R {
      let raw = try R(d.socket)
      raw.greet()
      raw.send(R.message(3, 5, R.words([4])))
      return raw
    }

    @Test("memory that is not sealed, too small, or a picture without sense, is refused with a sentence")
    func memoryThatIsNotSealed() throws {
      let d = try Desktop(compositor: nil)
      let all = CInt(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_WRITE)
      let cases: [(String, Int, CInt, [UInt32], Bool)] = [
        ("right", 400, all, [10, 10, 256], true),
        ("no seals", 400, 0, [10, 10, 256], false),
        ("may be written", 400, CInt(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW), [10, 10, 256], false),
        ("may shrink", 400, CInt(CLINUX_SEAL_GROW | CLINUX_SEAL_WRITE), [10, 10, 256], false),
        ("too small", 396, all, [10, 10, 256], false),
        ("too large", 404, all, [10, 10, 256], false),
        ("no pixels", 0, all, [0, 0, 256], false),
        ("40,000 a side", 400, all, [40_000, 40_000, 256], false),
        ("2^31 a side", 400, all, [0x8000_0000, 0x8000_0000, 256], false),
        ("no density", 400, all, [10, 10, 0], false),
        ("a density below nothing", 400, all, [10, 10, 0xFFFF_FF00], false),
      ]
      for (what, size, seals, words, isFine) in cases {
        let raw = try client(d)
        let fd = try memory(size, seals: seals)
        raw.send(R.message(4, 2, R.words(words)), descriptors: [fd.raw])
        // A sync behind it, so that silence can be told.
        raw.send(R.message(1, 0, R.words([90])))
        let refusals = raw.events(before: 90).count { $0.object == 4 && $0.opcode == 0 }
        #expect(refusals == (isFine ? 0 : 1), "\(what)")
      }
      // A pipe, a directory and the connection itself are no memory.
      let directory = try Descriptor.open("/tmp", O_RDONLY | O_DIRECTORY)
      let raw = try client(d)
      for fd in [directory.raw, raw.socket.raw] {
        raw.send(R.message(4, 2, R.words([10, 10, 256])), descriptors: [fd])
        #expect(raw.event(of: 4, 0) != nil)
      }
      #expect(d.engine.isRunning)
    }

    @Test("what is no description closes the client, and nobody else") func whatIsNoDescription() throws {
      let d = try Desktop(compositor: nil)
      func path(_ words: [UInt32]) -> [UInt8] { R.message(4, 5, R.words([UInt32(words.count * 4)] + words)) }
      for (what, bytes) in [
        ("a path that begins with a line", path([1, 0, 0])),
        ("a path that is cut short", path([0, 5])),
        ("a path of another kind", path([7])),
        ("a path with a point far away", path([0, 0x7FFF_FFFF, 0])),
        ("a path of half a number", R.message(4, 5, R.words([3, 0]))),
        ("a target of no size", R.message(4, 7, R.words([1, 0, 0, 0, 0]))),
        ("a target that spins", R.message(4, 7, R.words([1, 0, 0, 256, 0x7FFF_FFFF]))),
        ("more previews than there may be", (5..<300).flatMap { R.message(3, 5, R.words([UInt32($0)])) }),
      ] {
        let raw = try client(d)
        raw.send(bytes)
        #expect(raw.isClosed(), "\(what)")
      }
      // Parts of windows that are none of its own are only refused.
      let raw = try client(d)
      for words in [[1, 0, 0, 10, 10], [d.client.root.raw, 0, 0, 10, 10], [7, 0, 0, 0, 0], [7, 0, 0, 9999, 9999]] {
        raw.send(R.message(4, 1, R.words(words)))
        #expect(raw.event(of: 4, 0) != nil, "\(words)")
      }
      #expect(d.engine.isRunning)
    }

    @Test("the pictures of all clients have a limit, below which each has a little for itself")
    func thePicturesOfAllClients() throws {
      let d = try Desktop(compositor: nil)
      let picture = try memory(
        1 << 20, seals: CInt(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_WRITE))
      func fill(_ raw: R, _ count: UInt32) -> Int {
        for id in 0..<count {
          if id > 0 { raw.send(R.message(3, 5, R.words([4 + id]))) }
          raw.send(R.message(4 + id, 2, R.words([512, 512, 256])), descriptors: [picture.raw])
        }
        raw.send(R.message(1, 0, R.words([4 + count])))
        return raw.events(before: 4 + count).count { (4..<4 + count).contains($0.object) && $0.opcode == 0 }
      }
      var raws: [R] = []
      for _ in 0..<4 {
        raws.append(try client(d))
        #expect(fill(raws[raws.count - 1], 64) == 0)
      }
      let last = try client(d)
      #expect(fill(last, 4) == 2)
      // What goes makes room.
      raws.removeLast()
      #expect(Wait.until { (try? client(d)).map { fill($0, 4) } == 0 })
    }

    @Test("a flood of pictures is refused and holds up nobody") func aFloodOfPictures() throws {
      let d = try Desktop(compositor: nil)
      let pixmap = d.client.makePixmap(64, 64)
      d.client.sync()
      let raw = try client(d)
      let one = R.message(4, 3, R.words([pixmap]))
      // What a client may have at once is taken.
      var sync: UInt32 = 5
      func refusals(_ count: Int) -> Int {
        raw.send(Array((0..<count).map { _ in one }.joined()))
        raw.send(R.message(1, 0, R.words([sync])))
        defer { sync += 1 }
        return raw.events(before: sync).count { $0.object == 4 && $0.opcode == 0 }
      }
      #expect(refusals(200) == 0)
      let refused = refusals(3000)
      #expect(refused > 1000, "\(refused) refused")
      // It is no offence: later ones are taken again.
      #expect(Wait.until { refusals(1) == 0 })
      #expect(d.engine.isRunning)
    }
  }
}
