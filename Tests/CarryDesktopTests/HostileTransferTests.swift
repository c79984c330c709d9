import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireClient
import Testing

extension DesktopTests {
  /// Sources that hand over something else than what was asked for, and folders that are not what folders should be.
  @Suite(.serialized) struct HostileTransfers {
    /// One drop of an item with these types from a source that knows no rules.
    private func drop(
      _ types: [String], over: @escaping (WireProvision, _ type: String) -> Void,
      perform: @escaping (ItemProvider) -> Void, until isOver: @escaping () -> Bool
    ) throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let wire = try WireConnection(path: d.socket, name: "careless source")
      let window = d.client.makeWindow(App.left, color: 0x3366CC)
      d.client.sync()
      let region = try #require(wire.makeRegion(window: window.raw))
      region.setRectangle(x: 0, y: 0, width: 300, height: 300)
      region.setRoles(.drag)
      let item = try #require(wire.makeItem())
      for type in types { item.addType(type, .all) }
      item.onEvent = { if case .load(let provision, let type, _, _) = $0 { over(provision, type) } }
      var sessions: [WireDragSession] = []
      region.onEvent = { event in
        guard case .beginDrag(let session, _, let serial, _) = event else { return }
        sessions.append(session)
        session.add(item)
        session.onEvent = { [unowned session] event in
          if case .willBegin(let serial, _) = event { session.configure(serial: serial, SourceOptions()) }
        }
        session.answer(serial: serial)
      }
      let target = try App(d, "target")
      target.takePlaces(isSource: false)
      target.onPerform = { perform($0.items[0].itemProvider) }
      #expect(
        target.run(seconds: 30) {
          try? wire.dispatch()
          return isOver()
        }, "\(target.calls)")
    }

    @Test("an answer in another form than was asked for is refused, and a path that lies is not followed")
    func otherForms() throws {
      let place = try TestFolder("hostile")
      try Files.write("right", to: place.path + "/right")
      try Files.write("wrong", to: place.path + "/wrong")
      let folder = try Descriptor.open(place.path, O_RDONLY | O_DIRECTORY)
      let right = try Descriptor.open(place.path + "/right", O_RDONLY)
      let (folderFD, rightFD) = (folder.raw, right.raw)
      var codes: [String: LoadError.Code] = [:]
      var opened: OpenedFile?
      func failed<T>(_ type: String) -> (Result<T, LoadError>) -> Void {
        { if case .failure(let error) = $0 { codes[type] = error.code } }
      }
      try drop(["a/folder", "a/original", "a/file", "a/lie"]) { provision, type in
        switch type {
        case "a/folder": provision.folder(folderFD)
        case "a/original": provision.original(rightFD, path: place.path + "/right")
        case "a/file": provision.file(folderFD)
        default: provision.original(rightFD, path: place.path + "/wrong")
        }
      } perform: { provider in
        provider.loadDataRepresentation(forType: "a/folder", completion: failed("a/folder"))
        provider.loadFileRepresentation(forType: "a/original", completion: failed("a/original"))
        provider.loadFileRepresentation(forType: "a/file", completion: failed("a/file"))
        provider.loadInPlaceFileRepresentation(forType: "a/lie") { opened = try? $0.get() }
      } until: {
        codes.count == 3 && opened != nil
      }
      #expect(codes.values.allSatisfy { $0 == .unusableDescriptor }, "\(codes)")
      let file = try #require(opened)
      #expect(!file.isOriginal && !file.isWritable)
      #expect(try Files.read(file.path, limit: 100) == Array("right".utf8))
    }

    @Test("R2: progress that lies, a hundred thousand times, is shown in bounds and a few times")
    func R2_progressThatLies() throws {
      var steps: [Double] = []
      var bytes: [UInt8]?
      let memory = try SealedBytes.make(Array("done".utf8))
      let fd = memory.raw
      try drop(["a/storm"]) { provision, _ in
        for i in 0..<100_000 {
          let completed: UInt64 = i % 3 == 0 ? .max : UInt64(100_000 - i)
          provision.progress(TransferProgress(completed: completed, total: i % 2 == 0 ? 1 : 50_000))
        }
        provision.memory(fd)
      } perform: { provider in
        let load = provider.loadDataRepresentation(forType: "a/storm") { bytes = try? $0.get() }
        load.onProgress = { if let fraction = $0.fractionCompleted { steps.append(fraction) } }
      } until: {
        bytes != nil
      }
      #expect(bytes == Array("done".utf8))
      #expect(steps.allSatisfy { (0...1).contains($0) } && steps.count < 100, "\(steps.count)")
    }

    /// Memory that nobody can change.
    private enum SealedBytes {
      static func make(_ bytes: [UInt8]) throws -> Descriptor {
        let fd = Descriptor(owning: try check("memfd_create") { clinux_memfd_create("test") })
        _ = bytes.withUnsafeBytes { CLinux.write(fd.raw, $0.baseAddress, $0.count) }
        let seals = CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_WRITE | CLINUX_SEAL_SEAL
        try check("fcntl") { clinux_add_seals(fd.raw, CInt(seals)) }
        return fd
      }
    }

    @Test("a folder too deep, or too large for the disk, is one clear error, and nothing of it is left")
    func foldersThatCannotBeCopied() throws {
      let place = try TestFolder("hostile")
      let (deep, large, to, small) = ("/deep", "/large", "/to", "/small")
      for name in [deep, large, to, small] { mkdir(place.path + name, 0o700) }
      var path = place.path + deep
      for _ in 0..<250 {
        path += "/d"
        mkdir(path, 0o700)
      }
      for i in 0..<8 { try Files.write([UInt8](repeating: 65, count: 200_000), to: place.path + large + "/\(i)") }
      let mounts = try ChildProcess(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", place.path + small])
      let isMounted = mounts.waitForExit(seconds: 10) == 0
      if !isMounted { print("LEFT OUT: a full disk needs the right to mount a tmpfs") }
      defer {
        if isMounted { _ = try? ChildProcess(["umount", place.path + small]).waitForExit(seconds: 10) }
      }
      var problems: [String] = []
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      source.items = {
        [deep, large].map { DragItem(itemProvider: ItemProvider(contentsOf: place.path + $0)) }
      }
      var open = 0
      target.onPerform = { s in
        for item in s.items {
          for folder in [to, small] {
            open += 1
            item.itemProvider.saveRepresentation(forType: "inode/directory", in: place.path + folder) { result in
              open -= 1
              if case .failure(let error) = result { problems.append(error.description) }
            }
          }
        }
      }
      #expect(
        target.run(seconds: 30) {
          try? source.client.dispatch()
          return target.calls.contains("performDrop") && open == 0
        })
      #expect(problems.count { $0.contains("more than 200 levels") } == 2, "\(problems)")
      if isMounted { #expect(problems.contains { $0.contains(" bytes are needed, and ") }, "\(problems)") }
      #expect(Files.list(place.path + to) == ["large"])
      if isMounted { #expect(Files.list(place.path + small).isEmpty) }
    }
  }
}
