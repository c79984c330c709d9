import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
import Testing

extension DesktopTests {
  /// Whatever a source provides, a destination has it in the form that it wants.
  @Suite(.serialized) struct Conversions {
    /// A folder for a test's files, and a cache of its own for the library's.
    private final class Place {
      let folder: TestFolder
      var path: String { folder.path }
      init() throws { folder = try TestFolder("conversions") }

      /// `album` with a picture, a folder, a name that is no UTF-8, a link in it, a link out of it, and a pipe.
      func album() throws -> String {
        let album = path + "/album"
        mkdir(album, 0o755)
        mkdir(album + "/inner", 0o755)
        try folder.write("one", to: "album/one.txt")
        try folder.write(Array(repeating: 7, count: 300_000), to: "album/inner/big.bin")
        symlink("inner/big.bin", album + "/link")
        symlink("../../etc/passwd", album + "/out")
        mkfifo(album + "/pipe", 0o600)
        let raw = clinux_open("\(album)/n", O_CREAT | O_WRONLY, 0o644)
        close(raw)
        var odd = Array("\(album)/".utf8CString.dropLast())
        odd += [CChar(bitPattern: 0xE9), CChar(bitPattern: 0x2E), 0x78, 0]
        rename(album + "/n", odd)
        return album
      }

      func list(_ path: String) throws -> [String] {
        try ChildProcess(["find", path, "-mindepth", "1", "-printf", "%P\\n"], output: .pipe).remainingLines().sorted()
      }
    }

    /// One drop, with what `perform` starts in it, until `isOver`.
    private func drop(
      _ items: @escaping () -> [DragItem], perform: @escaping (DropSession) -> Void, until isOver: @escaping () -> Bool
    ) throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      source.items = items
      target.onPerform = perform
      #expect(
        target.run(seconds: 30) {
          try? source.client.dispatch()
          return isOver() && source.calls.contains("didTransfer")
        }, "\(source.calls) \(target.calls)")
    }

    @Test("I1, X7, M1, M2, M4, M5, M7: data, a file and a folder, each as data, as a copy and in place")
    func I1_X7_M1_M2_M4_M5_M7_allNinePairs() throws {
      let place = try Place()
      let file = try place.folder.write("original", to: "letter.txt")
      let album = try place.album()
      let saved = place.path + "/saved"
      mkdir(saved, 0o755)
      var bytes: [String: [UInt8]] = [:]
      var kept: [String: LoadedFile] = [:]
      var temporary: [String: (path: String, wasThere: Bool, isFolder: Bool)] = [:]
      var opened: [String: OpenedFile] = [:]
      var problems: [String: String] = [:]
      var open = 0
      func done<T>(_ what: String, _ result: Result<T, LoadError>, _ body: (T) -> Void) {
        open -= 1
        switch result {
        case .success(let value): body(value)
        case .failure(let error): problems[what] = error.description
        }
      }
      try drop {
        let data = ItemProvider(data: Array("bytes".utf8), type: "text/plain;charset=utf-8")
        data.suggestedName = "data.txt"
        return [
          data, ItemProvider(contentsOf: file, fileOptions: .openInPlace), ItemProvider(contentsOf: album),
        ].map { DragItem(itemProvider: $0) }
      } perform: { session in
        for item in session.items {
          let provider = item.itemProvider
          let (what, type) = (provider.suggestedName ?? "?", provider.registeredTypes[0])
          open += 4
          provider.loadDataRepresentation(forType: type) { result in done(what, result) { bytes[what] = $0 } }
          provider.saveRepresentation(forType: type, in: saved) { result in done(what, result) { kept[what] = $0 } }
          provider.loadFileRepresentation(forType: type) { result in
            done(what, result) { temporary[what] = ($0.path, access($0.path, F_OK) == 0, $0.isFolder) }
          }
          provider.loadInPlaceFileRepresentation(forType: type) { result in
            done("opened " + what, result) { opened[what] = $0 }
          }
        }
      } until: {
        open == 0 && opened.count == 2
      }
      #expect(
        problems.count == 1 && problems["opened album"]?.contains("cannot be opened as a file") == true, "\(problems)")
      // As data: a folder is a zip archive, with the folder as its top entry.
      #expect(bytes["data.txt"] == Array("bytes".utf8) && bytes["letter.txt"] == Array("original".utf8))
      let zip = try place.folder.write(bytes["album"] ?? [], to: "album.zip")
      let names = try ChildProcess(["bsdtar", "-tf", zip], output: .pipe).remainingLines().sorted()
      #expect(
        names.count == 6
          && ["album/", "album/inner/", "album/inner/big.bin", "album/link", "album/one.txt"].allSatisfy {
            names.contains($0)
          }, "\(names)")
      // As copies.
      #expect(try Files.read(saved + "/data.txt", limit: 100) == Array("bytes".utf8))
      #expect(try Files.read(saved + "/letter.txt", limit: 100) == Array("original".utf8))
      #expect(kept["album"]?.isFolder == true && kept["album"]?.byteCount == 300_003)
      #expect(kept["album"]?.leftOut.sorted() == ["out", "pipe"])
      #expect(try place.list(saved + "/album").count == 5)
      #expect(try Files.read(saved + "/album/inner/big.bin", limit: 1 << 20) == Array(repeating: 7, count: 300_000))
      #expect(Files.list(saved).sorted() == ["album", "data.txt", "letter.txt"])
      for (what, copy) in temporary { #expect(copy.wasThere && copy.isFolder == (what == "album"), "\(what)") }
      #expect(Wait.until { temporary.values.allSatisfy { access($0.path, F_OK) != 0 } }, "they are gone by now")
      // In place: the file itself; of data, a copy.
      #expect(opened["letter.txt"]?.isOriginal == true && opened["letter.txt"]?.path == file)
      #expect(opened["data.txt"]?.isOriginal == false)
      let original = try #require(opened["letter.txt"])
      #expect(original.isWritable && pwrite(original.descriptor, "O", 1, 0) == 1)
      #expect(try Files.read(file, limit: 100) == Array("Original".utf8))
    }

    @Test("R1, R2, R4, R6, R8: progress goes both ways, and a cancel reaches the source's handler")
    func R1_R2_R4_R6_R8_progress() throws {
      var steps: [Double] = []
      var totals: [Int?] = []
      var whole: [Double] = []
      var result: Result<[UInt8], LoadError>?
      var cancelled: LoadError?
      var cleanedUp = 0
      var sourceHeard = 0
      var far: [Int] = []
      var pending: ItemRequest?
      var step = 0
      var slow: Carry.Load?
      var session: DropSession?
      try drop {
        let provider = ItemProvider()
        provider.registerRequests(forType: "text/plain") { request in
          pending = request
          request.onDestinationProgress = { completed, _ in far.append(completed) }
        }
        provider.setByteCount(1_000_000, forType: "text/plain")
        provider.registerRequests(forType: "text/html") { request in request.onCancelled = { sourceHeard += 1 } }
        return [DragItem(itemProvider: provider)]
      } perform: { s in
        session = s
        let provider = s.items[0].itemProvider
        #expect(
          provider.byteCount(forType: "text/plain") == 1_000_000 && provider.byteCount(forType: "text/html") == nil)
        s.progress.onChange = { whole.append($0.fractionCompleted) }
        slow = provider.loadDataRepresentation(forType: "text/html") { if case .failure(let e) = $0 { cancelled = e } }
        slow?.cancellationHandler = { cleanedUp += 1 }
        let load = provider.loadDataRepresentation(forType: "text/plain") { result = $0 }
        load.onProgress = { load in
          if let fraction = load.fractionCompleted { steps.append(fraction) }
          totals.append(load.totalBytes)
        }
      } until: {
        if let request = pending {
          step += 1
          request.reportProgress(completedUnitCount: step, totalUnitCount: 100)
          if step == 100 {
            request.answer(.success(.data(Array(repeating: 1, count: 1_000_000))))
            pending = nil
            slow?.cancel()
          }
        }
        return result != nil && sourceHeard == 1
      }
      #expect((try? result?.get())?.count == 1_000_000)
      #expect(steps.last == 1 && steps == steps.sorted() && totals.allSatisfy { $0 == 1_000_000 }, "\(steps)")
      #expect(cancelled?.code == .cancelled && cleanedUp == 1)
      #expect(session?.progress.isFinished == true && session?.progress.fractionCompleted == 1)
      #expect(whole.count >= 2 && whole == whole.sorted(), "\(whole)")
      #expect(far.allSatisfy { (0...1_000_000).contains($0) })
    }

    @Test("R2: the total that a stream names is the destination's")
    func R2_streamsTotal() throws {
      var (fractions, totals): ([Double], [Int?]) = ([], [])
      var result: Result<[UInt8], LoadError>?
      let mayGoOn = Atomic<Bool>(false)
      try drop {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "text/plain") { stream in
          stream.totalBytes = 4_000_000
          try stream.write([UInt8](repeating: 7, count: 1_000_000))
          stream.keepAlive()
          _ = Wait.until(seconds: 30) { mayGoOn.load(ordering: .relaxed) }
          try stream.write([UInt8](repeating: 7, count: 3_000_000))
        }
        return [DragItem(itemProvider: provider)]
      } perform: { s in
        let load = s.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") { result = $0 }
        load.onProgress = { load in
          totals.append(load.totalBytes)
          if let fraction = load.fractionCompleted, load.completedBytes > 0 { fractions.append(fraction) }
          if load.totalBytes == 4_000_000 { mayGoOn.store(true, ordering: .relaxed) }
        }
      } until: {
        result != nil
      }
      #expect((try? result?.get())?.count == 4_000_000)
      #expect(totals.allSatisfy { $0 == nil || $0 == 4_000_000 } && totals.contains(4_000_000), "\(totals)")
      #expect(fractions.last == 1 && mayGoOn.load(ordering: .relaxed), "\(fractions)")
    }

    @Test("R2: of data that is there already the total is known while it comes, in bytes, whatever was said before")
    func R2_readyDatasTotal() throws {
      var result: Result<Int, LoadError>?
      let mayGoOn = Atomic<Bool>(false)
      try drop {
        let provider = ItemProvider()
        provider.registerRequests(forType: "text/plain") { request in
          request.reportProgress(completedUnitCount: 3, totalUnitCount: 4)
          request.answer(.success(.data([UInt8](repeating: 7, count: 4_000_000))))
        }
        return [DragItem(itemProvider: provider)]
      } perform: { s in
        let load = s.items[0].itemProvider.loadRepresentation(forType: "text/plain") { _ in
          _ = Wait.until(seconds: 30) { mayGoOn.load(ordering: .relaxed) }
        } completion: {
          result = $0
        }
        load.onProgress = { if $0.totalBytes == 4_000_000 { mayGoOn.store(true, ordering: .relaxed) } }
      } until: {
        result != nil
      }
      let wasKnown = mayGoOn.load(ordering: .relaxed)
      #expect(wasKnown)
      #expect((try? result?.get()) == 4_000_000)
    }

    @Test("R2: a stream that ends before the length that it has named brings nothing, whatever its writer says")
    func R2_aShortStream() throws {
      var result: Result<LoadedFile, LoadError>?
      let place = try Place()
      let saved = place.path + "/saved"
      mkdir(saved, 0o755)
      try drop {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "image/png") { stream in
          stream.totalBytes = 2_000_000
          try stream.write([UInt8](repeating: 7, count: 1_999_999))
        }
        return [DragItem(itemProvider: provider)]
      } perform: { s in
        s.items[0].itemProvider.saveRepresentation(forType: "image/png", in: saved) { result = $0 }
      } until: {
        result != nil
      }
      #expect(throws: LoadError.self) { try result?.get() }
      #expect(Files.list(saved).isEmpty)
    }

    @Test("R2: why a stream has failed in the middle is what the destination says of its load")
    func R2_aStreamSaysWhy() throws {
      struct OutOfPaper: Error, CustomStringConvertible { let description = "the scanner has no more paper" }
      var result: Result<[UInt8], LoadError>?
      try drop {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "image/png") { stream in
          // More than the ring holds: what comes before the reason is read, too.
          try stream.write([UInt8](repeating: 7, count: 2_000_000))
          throw OutOfPaper()
        }
        return [DragItem(itemProvider: provider)]
      } perform: { s in
        s.items[0].itemProvider.loadDataRepresentation(forType: "image/png") { result = $0 }
      } until: {
        result != nil
      }
      guard case .failure(let error) = result else { return _ = Issue.record("\(String(describing: result))") }
      #expect(error.code == .sourceFailed && error.description == "the scanner has no more paper", "\(error)")
    }

    @Test("R2: of data in memory the destination hears how much comes before its first byte is there")
    func R2_dataSaysItsSize() throws {
      var steps: [(Int, Double?)] = []
      var result: Result<[UInt8], LoadError>?
      try drop {
        [DragItem(itemProvider: ItemProvider(data: Array(repeating: 7, count: 1_000_000), type: "text/plain"))]
      } perform: { s in
        let load = s.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") { result = $0 }
        load.onProgress = { steps.append(($0.completedBytes, $0.fractionCompleted)) }
      } until: {
        result != nil
      }
      #expect(try result?.get() == Array(repeating: 7, count: 1_000_000))
      #expect(steps.first.map { $0.0 == 0 && $0.1 == 0 } == true, "\(steps)")
    }

    @Test("M2: parts come as they are made, in order, and what the destination throws ends the load")
    func M2_parts() throws {
      final class Parts: Sendable {
        let bytes = Mutex<[UInt8]>([])
      }
      let parts = Parts()
      var counts: [Result<Int, LoadError>] = []
      struct Enough: Error {}
      try drop {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "application/x-counting") { out in
          for i in 0..<1000 { try out.write([UInt8](repeating: UInt8(i % 256), count: 1000)) }
        }
        return [DragItem(itemProvider: provider)]
      } perform: { s in
        let provider = s.items[0].itemProvider
        provider.loadRepresentation(
          forType: "application/x-counting", inParts: { part in parts.bytes.withLock { $0 += part } },
          completion: { counts.append($0) })
        provider.loadRepresentation(
          forType: "application/x-counting", inParts: { _ in throw Enough() }, completion: { counts.append($0) })
      } until: {
        counts.count == 2
      }
      let bytes = parts.bytes.withLock { $0 }
      #expect(bytes == (0..<1000).flatMap { [UInt8](repeating: UInt8($0 % 256), count: 1000) })
      #expect(counts.contains { (try? $0.get()) == 1_000_000 })
      #expect(counts.contains { if case .failure(let e) = $0 { e.code == .local } else { false } })
    }
  }
}
