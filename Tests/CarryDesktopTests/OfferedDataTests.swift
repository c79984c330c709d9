import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Synchronization
import Testing

extension DesktopTests {
  /// What other programs get of some items, and whether they wait for one another.
  @Suite(.serialized) struct OfferedDatas {
    private final class Follower: ByteStream {
      private let takes: Bool
      private let goesAway: Bool
      private let bytes = Atomic<Int>(0)
      /// Whether somebody takes what has come; otherwise it is waited for.
      let isRead: Atomic<Bool>

      init(takes: Bool = true, goesAway: Bool = false, reads: Bool = true) {
        (self.takes, self.goesAway) = (takes, goesAway)
        isRead = Atomic(reads)
      }

      var count: Int? { takes ? bytes.load(ordering: .relaxed) : nil }
      func expect(_ count: Int) -> Bool { takes }
      func write(_ part: UnsafeRawBufferPointer) throws {
        bytes.add(part.count, ordering: .relaxed)
        _ = Wait.until { isRead.load(ordering: .acquiring) }
        if goesAway { throw Problem("nobody is there") }
      }
      func abandon() {}
    }

    @Test("Z1: what is loaded before a drop is there at once, and what there was no room for is loaded again")
    func Z1_loadedBefore() throws {
      let s = try ClipboardScene()
      var loads: [String: Int] = [:]
      let provider = ItemProvider()
      // Text first: an item whose best type is not text would be offered as a file, too.
      let sizes = [("text/plain;charset=utf-8", 1000), ("application/x-large", 70 << 20)]
      for (type, size) in sizes {
        provider.registerDataRepresentation(forType: type) { answer in
          loads[type, default: 0] += 1
          answer(.success([UInt8](repeating: 97, count: size)))
        }
      }
      try s.client.pasteboard.setItemProviders([provider])
      let data = OfferedData([DragItem(itemProvider: provider)])
      var isLoaded = false
      data.loadAll { isLoaded = true }
      #expect(s.run { isLoaded })
      #expect(loads.values.allSatisfy { $0 == 1 } && loads.count == 2 && !data.hasServed)
      // Without a turn of the client, in each of its names.
      for name in ["UTF8_STRING", "STRING", "text/plain"] {
        var text: [UInt8]?
        data.convert(name) { text = $0 }
        #expect(text?.count == 1000, "\(name)")
      }
      var count: Int?
      data.convert("application/x-large") { count = $0?.count ?? 0 }
      #expect(s.run { count != nil } && count == 70 << 20)
      data.end()
    }

    @Test("Z1: data that has gone on as it came is loaded once more for who asks again, and kept then")
    func Z1_askedAgain() throws {
      let s = try ClipboardScene()
      let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      var loads = 0
      let provider = ItemProvider()
      provider.registerDataRepresentation(forType: "application/x-counted") { answer in
        loads += 1
        answer(.success(bytes))
      }
      try s.client.pasteboard.setItemProviders([provider])

      /// What somebody gets: how many bytes have gone on, or bytes.
      func answer(_ data: OfferedData, _ follower: Follower) -> OfferedAnswer? {
        var answer: OfferedAnswer??
        data.convert("application/x-counted", following: follower) { answer = .some($0) }
        #expect(s.run { answer != nil })
        return answer ?? nil
      }
      func isHandedOn(_ answer: OfferedAnswer?) -> Bool {
        if case .handedOn(bytes.count)? = answer { true } else { false }
      }
      func isWhole(_ answer: OfferedAnswer?) -> Bool { if case .bytes(bytes)? = answer { true } else { false } }

      let data = OfferedData([DragItem(itemProvider: provider)])
      #expect(isHandedOn(answer(data, Follower())) && loads == 1)
      #expect(isWhole(answer(data, Follower())) && loads == 2)
      #expect(isWhole(answer(data, Follower())) && loads == 2)
      // One that does not hand it on.
      let other = OfferedData([DragItem(itemProvider: provider)])
      #expect(isWhole(answer(other, Follower(takes: false))) && loads == 3)
      #expect(isWhole(answer(other, Follower())) && loads == 3)
      // Two at once: small data, which nothing is handed on of, is loaded once.
      let fourth = OfferedData([DragItem(itemProvider: provider)])
      loads = 0
      var both: [OfferedAnswer?] = []
      for _ in 0..<2 { fourth.convert("application/x-counted", following: Follower(takes: false)) { both.append($0) } }
      #expect(s.run { both.count == 2 })
      #expect(both.allSatisfy(isWhole) && loads == 1)
    }

    @Test("Z1: the copies of a drop lie in one folder, and those of one name in folders of their own")
    func Z1_oneFolder() throws {
      let s = try ClipboardScene()
      let providers = ["a.bin", "b.bin", "a.bin"].map { name in
        let provider = ItemProvider()
        provider.suggestedName = name
        provider.registerDataRepresentation(forType: "application/x-carry") { $0(.success(Array(name.utf8))) }
        return provider
      }
      try s.client.pasteboard.setItemProviders(providers)
      let data = OfferedData(providers.map { DragItem(itemProvider: $0) })
      var list: [UInt8]?
      data.convert("text/uri-list") { list = $0 }
      #expect(s.run { list != nil })
      let lines = String(decoding: list ?? [], as: UTF8.self).split(separator: "\r\n")
      let folders = lines.map { $0.split(separator: "/").dropLast().joined(separator: "/") }
      let names = lines.compactMap { $0.split(separator: "/").last }
      // Whichever of the two comes first shares its folder.
      #expect(names == ["a.bin", "b.bin", "a.bin"] && folders[0] != folders[2], "\(lines)")
      #expect(folders[1] == folders[0] || folders[1] == folders[2], "\(lines)")
      for (line, name) in zip(lines, names) {
        #expect(try Files.read(String(line.dropFirst("file://".count)), limit: 100) == Array(name.utf8))
      }
    }

    @Test("Z9: what several wait for is made once for all of them; who waits when it ends gets nothing, once")
    func Z9_madeOnce() throws {
      let s = try ClipboardScene()
      let provider = ItemProvider()
      var loaded: ((Result<[UInt8], any Error>) -> Void)?
      provider.registerDataRepresentation(forType: "text/plain;charset=utf-8") { loaded = $0 }
      try s.client.pasteboard.setItemProviders([provider])

      let data = OfferedData([DragItem(itemProvider: provider)])
      var answers: [[UInt8]?] = []
      for _ in 0..<3 { data.convert("STRING") { answers.append($0) } }
      #expect(s.run { loaded != nil } && answers.isEmpty)
      loaded?(.success(Array("Grüße".utf8)))
      #expect(s.run { answers.count == 3 })
      let places = Set(answers.map { $0?.withUnsafeBytes { $0.baseAddress } ?? nil })
      #expect(answers.allSatisfy { $0 == [0x47, 0x72, 0xFC, 0xDF, 0x65] } && places.count == 1)

      // Addresses, as file managers paste them, take as long.
      let links = ItemProvider()
      loaded = nil
      answers = []
      links.registerDataRepresentation(forType: "text/uri-list") { loaded = $0 }
      try s.client.pasteboard.setItemProviders([links])
      let copied = OfferedData([DragItem(itemProvider: links)], isCopied: true)
      for _ in 0..<3 { copied.convert("x-special/gnome-copied-files") { answers.append($0) } }
      #expect(s.run { loaded != nil })
      loaded?(.success(Array("https://a.example/\r\n".utf8)))
      #expect(s.run { answers.count == 3 })
      #expect(answers.allSatisfy { $0 == Array("copy\nhttps://a.example/".utf8) })
      #expect(Set(answers.map { $0?.withUnsafeBytes { $0.baseAddress } ?? nil }).count == 1)

      // What is too large for the memory goes as a file.
      let large = ItemProvider()
      large.suggestedName = "film.mkv"
      large.registerDataRepresentation(forType: "video/x-matroska") { _ in }
      func isDescribed() -> Bool {
        OfferedData([DragItem(itemProvider: large)], isCopied: true).offer.types.contains("CARRY_ITEM")
      }
      #expect(isDescribed())
      large.setByteCount(1 << 30, forType: "video/x-matroska")
      #expect(!isDescribed())

      try s.client.pasteboard.setItemProviders([provider])
      loaded = nil
      answers = []
      let ended = OfferedData([DragItem(itemProvider: provider)])
      for type in ["STRING", "STRING", "UTF8_STRING"] { ended.convert(type) { answers.append($0) } }
      #expect(s.run { loaded != nil })
      ended.end()
      #expect(answers.count == 3 && answers.allSatisfy { $0 == nil } && !ended.isAwaited)
      loaded?(.success([0x41]))
      // The answer to a later request comes behind a second answer to these.
      loaded = nil
      let later = OfferedData([DragItem(itemProvider: provider)])
      var isAnswered = false
      later.convert("STRING") { _ in isAnswered = true }
      #expect(s.run { loaded != nil })
      loaded?(.success([0x42]))
      #expect(s.run { isAnswered } && answers.count == 3)
    }

    @Test("Z1: who asks for what already goes on to another window does not wait for whoever takes that")
    func Z1_twoAtOnce() throws {
      let s = try ClipboardScene()
      let bytes = [UInt8](repeating: 5, count: 1 << 20)
      let provider = ItemProvider()
      var loads = 0
      provider.registerDataRepresentation(forType: "application/x-counted") { answer in
        loads += 1
        answer(.success(bytes))
      }
      try s.client.pasteboard.setItemProviders([provider])
      for goesAway in [false, true] {
        let data = OfferedData([DragItem(itemProvider: provider)])
        loads = 0
        let slow = Follower(goesAway: goesAway, reads: false)
        var (first, second): (OfferedAnswer??, OfferedAnswer??)
        data.convert("application/x-counted", following: slow) { first = .some($0) }
        data.convert("application/x-counted", following: Follower()) { second = .some($0) }
        #expect(s.run { second != nil })
        let isWhole = if case .bytes(bytes)?? = second { true } else { false }
        #expect(isWhole && first == nil && loads == 2)
        slow.isRead.store(true, ordering: .releasing)
        #expect(s.run { first != nil })
        let isHandedOn = if case .handedOn(bytes.count)?? = first { true } else { false }
        #expect(isHandedOn != goesAway && data.isAwaited == false && loads == 2)
      }
    }
  }
}
