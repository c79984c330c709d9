import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// Values of an application's model, from one application to another.
  @Suite(.serialized) struct Objects {
    /// A model type, which knows of no window: I20.
    private struct Note: ItemProviderWriting, ItemProviderReading, Equatable {
      var text: String
      var isPinned = false

      static let ownType = "application/vnd.example.note"
      static let writableTypesForItemProvider = [ownType, "text/plain;charset=utf-8"]
      static let readableTypesForItemProvider = [ownType, "text/plain"]

      struct Failure: Error, CustomStringConvertible { let description: String }

      init(_ text: String, isPinned: Bool = false) {
        self.text = text
        self.isPinned = isPinned
      }

      func loadRepresentation(forType type: String) throws -> [UInt8] {
        if text == "secret" { throw Failure(description: "this note is not for others") }
        return type == Self.ownType ? [isPinned ? 1 : 0] + Array(text.utf8) : Array(text.utf8)
      }

      init(itemProviderData data: [UInt8], type: String) throws {
        if type == Self.ownType {
          guard let first = data.first, first < 2 else { throw Failure(description: "neither pinned nor not") }
          self.init(String(decoding: data.dropFirst(), as: UTF8.self), isPinned: first == 1)
        } else {
          self.init("\(type): \(String(decoding: data, as: UTF8.self))")
        }
      }
    }

    /// A value that is a file, and one that takes a while: each answers the request by itself.
    private final class Film: ItemProviderWriting, @unchecked Sendable {
      static let writableTypesForItemProvider = ["video/x-example", "text/plain;charset=utf-8"]
      private let path: String
      var request: ItemRequest?

      init(_ path: String) { self.path = path }

      func loadRepresentation(forType type: String) throws -> [UInt8] { throw Note.Failure(description: "not asked") }

      func loadRepresentation(for request: ItemRequest) {
        if request.type == "video/x-example" { return request.answer(.success(.file(path: path))) }
        request.reportProgress(completedUnitCount: 1 << 20)
        self.request = request
      }
    }

    @Test("I9: a value answers a request with a file, or later, and hears that nobody waits any more")
    func I9_aValueThatTakesAWhile() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      let path = d.folder + "/film"
      try Files.write("frames", to: path)
      let film = Film(path)
      source.items = { [DragItem(itemProvider: ItemProvider(object: film))] }
      var file: TypedData?
      var error: LoadError?
      var load: Carry.Load?
      target.onPerform = { s in
        s.items[0].itemProvider.loadObject(of: TypedData.self) { file = try? $0.get() }
        load = s.items[0].itemProvider.loadObject(of: String.self) { if case .failure(let e) = $0 { error = e } }
      }
      var wasTold = false
      #expect(
        target.run {
          try? source.client.dispatch()
          if let request = film.request, load?.isFinished == false {
            request.onCancelled = { wasTold = true }
            load?.cancel()
          }
          return wasTold && file != nil
        })
      #expect(file == TypedData(Array("frames".utf8), type: "video/x-example"))
      #expect(error?.code == .cancelled && film.request?.isCancelled == true)
    }

    /// A value that knows which threads have written and read it.
    private struct Traveller: ItemProviderWriting, ItemProviderReading {
      static let writableTypesForItemProvider = ["application/vnd.example.traveller"]
      static let readableTypesForItemProvider = writableTypesForItemProvider
      var threads: [UInt] = []

      init() {}
      func loadRepresentation(forType type: String) -> [UInt8] { Array("\(pthread_self())".utf8) }
      init(itemProviderData data: [UInt8], type: String) throws {
        threads = [try #require(UInt(String(decoding: data, as: UTF8.self))), pthread_self()]
      }
    }

    @Test("I9, I10, X6, K11: values are written and made on other threads, and arrive on the client's")
    func I9_I10_threads() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      source.items = { [DragItem(itemProvider: ItemProvider(object: Traveller()))] }
      var (value, arrival): (Traveller?, UInt?)
      target.onPerform = { s in
        s.items[0].itemProvider.loadObject(of: Traveller.self) { (value, arrival) = (try? $0.get(), pthread_self()) }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return arrival != nil
        })
      #expect(arrival == pthread_self())
      #expect(value?.threads.count == 2 && value?.threads.contains(pthread_self()) == false)
    }

    /// What no item can be made into.
    private struct Nothing: ItemProviderReading {
      static let readableTypesForItemProvider = ["application/x-nothing"]
      init(itemProviderData data: [UInt8], type: String) {}
    }

    @Test("I2, I4, I9, I10, I11, I12, I20, X6: values of a model type go from one application to another")
    func I9_I10_valuesGoAcross() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      var asked: [String] = []
      source.items = {
        let table = ItemProvider(data: Array("a,b".utf8), type: "text/csv")
        let broken = ItemProvider(data: [7], type: Note.ownType)
        let later = ItemProvider()
        later.registerObject(of: Note.self) { answer in
          asked.append("later")
          answer(.success(Note("made when asked")))
        }
        return [
          ItemProvider(object: Note("own", isPinned: true)), table, broken, later, ItemProvider(object: Note("secret")),
          ItemProvider(data: [], type: "image/png"),
        ].map { DragItem(itemProvider: $0) }
      }
      var can: [Bool] = []
      var notes: [Int: Result<Note, LoadError>] = [:]
      var text: String?
      target.onUpdate = { s in
        can = s.items.map { $0.itemProvider.canLoadObject(of: Note.self) }
        return .copy
      }
      target.onPerform = { s in
        for (i, item) in s.items.enumerated() {
          item.itemProvider.loadObject(of: Note.self) { notes[i] = $0 }
        }
        s.items[0].itemProvider.loadObject(of: String.self) { text = try? $0.get() }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return notes.count == 6 && text != nil
        }, "\(notes)")
      #expect(can == [true, true, true, true, true, false])
      #expect(try notes[0]?.get() == Note("own", isPinned: true))
      #expect(try notes[1]?.get() == Note("text/plain: a,b"))
      #expect(try notes[3]?.get() == Note("made when asked"))
      #expect(text == "own" && asked == ["later"])
      func error(_ i: Int) -> LoadError? { if case .failure(let e) = notes[i] { e } else { nil } }
      #expect(error(2)?.code == .local && error(2)?.description.contains("neither pinned nor not") == true)
      #expect(error(4)?.code == .sourceFailed && error(4)?.description.contains("not for others") == true)
      #expect(error(5)?.code == .noSuchType)
    }

    @Test("X5: values of all items come in the order of the items, with types, names and errors")
    func X5_valuesInOrder() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      source.items = {
        let broken = ItemProvider(data: [], type: Note.ownType)
        broken.suggestedName = "broken.note"
        let slow = ItemProvider()
        slow.registerStreamRepresentation(forType: "text/plain;charset=utf-8") {
          for word in ["sl", "ow"] { try $0.write(Array(word.utf8)) }
        }
        let picture = ItemProvider(data: [], type: "image/png")
        return [slow, broken, picture, ItemProvider(object: Note("quick"))].map { DragItem(itemProvider: $0) }
      }
      var loaded: [DropSession.LoadedObject<Note>]?
      var early: [LoadError.Code] = []
      var none: Int?
      target.onUpdate = { s in
        guard early.isEmpty else { return .copy }
        s.loadObjects(of: Note.self) { all in
          early = all.compactMap { if case .failure(let e) = $0.result { e.code } else { nil } }
        }
        return .copy
      }
      target.onPerform = { s in
        #expect(s.canLoadObjects(of: Note.self) && !s.canLoadObjects(of: Nothing.self))
        #expect(s.loadObjects(of: Note.self) { loaded = $0 }.count == 3)
        s.loadObjects(of: Nothing.self) { none = $0.count }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return loaded != nil
        })
      #expect(loaded?.map(\.type) == ["text/plain;charset=utf-8", Note.ownType, Note.ownType])
      #expect(loaded?.map(\.object) == [Note("text/plain: slow"), nil, Note("quick")])
      #expect(loaded?.map(\.item.itemProvider.suggestedName) == [nil, "broken.note", nil])
      // X2: before the drop nothing can be loaded.
      #expect(early == [.outsidePerformDrop, .outsidePerformDrop, .outsidePerformDrop])
      #expect(none == 0)
    }

    /// What arrived as which type.
    private final class Arrivals {
      var values: [Int: any Equatable] = [:]
      func load<Object: ItemProviderReading & Equatable>(_ type: Object.Type, _ i: Int, of session: DropSession) {
        session.items[i].itemProvider.loadObject(of: type) { [self] in
          switch $0 {
          case .success(let object): values[i] = object
          case .failure(let error): values[i] = error.description
          }
        }
      }
      func has<Object: Equatable>(_ object: Object, at i: Int) -> Bool { values[i] as? Object == object }
    }

    @Test("I2, I9, I10: colours, addresses, files, pictures and cards go from one application to another")
    func I2_readyTypes() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      let color = ItemColor(red: 1, green: 2, blue: 3, alpha: 4)
      let link = try #require(WebLink("https://example.org/lake"))
      let file = try #require(FileLink(path: "/home/ada/Lake 1.png"))
      let image = try #require(
        ItemImage(width: 200, height: 100, premultipliedARGB: (0..<20_000).map { $0 | 0xFF << 24 }))
      let card = VCard(
        formattedName: "Ada Lovelace", phones: [VCard.Contact("+44 20", kinds: ["cell"])],
        photo: TypedData(try image.loadRepresentation(forType: "image/jpeg"), type: "image/jpeg"))
      let data = TypedData([1, 2, 3], type: "application/vnd.example.drawing")
      source.items = {
        let providers = [
          ItemProvider(object: color), ItemProvider(object: link), ItemProvider(object: file),
          ItemProvider(object: image), ItemProvider(object: card), ItemProvider(object: data),
        ]
        return providers.map { DragItem(itemProvider: $0) }
      }
      let arrivals = Arrivals()
      target.onPerform = { s in
        arrivals.load(ItemColor.self, 0, of: s)
        arrivals.load(WebLink.self, 1, of: s)
        arrivals.load(FileLink.self, 2, of: s)
        arrivals.load(ItemImage.self, 3, of: s)
        arrivals.load(VCard.self, 4, of: s)
        arrivals.load(TypedData.self, 5, of: s)
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return arrivals.values.count == 6
        })
      #expect(arrivals.has(color, at: 0), "\(arrivals.values)")
      #expect(arrivals.has(link, at: 1) && arrivals.has(file, at: 2) && arrivals.has(image, at: 3))
      #expect(arrivals.has(card, at: 4) && arrivals.has(data, at: 5))
    }
  }
}
