import CLinux
import CPrivileges
import CarrySystem
import CarryTesting
import Synchronization
import Testing

@testable import CarryTransfers

/// Folders that are meant to do harm to whoever copies them.
@Suite struct FolderCopyTests {
  /// Expects an error with these words.
  private func expectError(_ words: String, _ body: () throws -> Void) {
    #expect {
      try body()
    } throws: {
      "\($0)".contains(words)
    }
  }

  /// A folder that is gone after the test.
  private final class Place {
    private let folder: TestFolder
    var path: String { folder.path }
    init() throws {
      folder = try TestFolder("copies")
      for name in ["from", "to"] { try folder.makeFolder(name) }
    }

    func open(_ name: String) throws -> Descriptor { try Descriptor.open(path + name, O_RDONLY | O_DIRECTORY) }
  }

  @Test("M5: a link that gets out of its folder through another link is left out")
  func M5_linksThroughLinks() throws {
    let place = try Place()
    mkdir(place.path + "/from/a", 0o700)
    mkdir(place.path + "/from/a/b", 0o700)
    symlink("../..", place.path + "/from/a/b/top")
    symlink("a/b/top/../to", place.path + "/from/out")
    symlink("a/../../to", place.path + "/from/a/up")
    symlink("../a/b", place.path + "/from/a/across")
    let from = try place.open("/from")
    let to = try place.open("/to")
    let copy = FolderCopy(keepsAttributes: false, checkCancellation: {}, progress: { _ in })
    try copy.copy(from: from.raw, to: to.raw)
    #expect(copy.leftOut.sorted() == ["a/up", "out"])
    #expect(Files.link(place.path + "/to/a/b/top") == "../.." && Files.link(place.path + "/to/a/across") == "../a/b")
  }

  @Test("M5: a folder is not copied into itself, and a copy in a cache inside it leaves the cache out")
  func M5_intoItself() throws {
    let place = try Place()
    mkdir(place.path + "/from/backup", 0o700)
    mkdir(place.path + "/from/cache", 0o700)
    let from = try place.open("/from")
    for folder in ["/from", "/from/backup"] {
      let saved = try SaveFolder(place.path + folder)
      let sink = SavingSink(as: "copy") { saved }
      expectError("a folder cannot be copied into itself") { _ = try sink.copyFolder(from.raw) { _ in } }
      sink.undo()
      #expect(!Files.list(place.path + folder).contains("copy"))
    }
    let cache = try place.open("/from/cache")
    var status = stat()
    #expect(fstat(cache.raw, &status) == 0)
    mkdir(place.path + "/from/cache/copy", 0o700)
    let to = try place.open("/from/cache/copy")
    #expect(try FolderCopy.isInside(to.raw, from.raw))
    #expect(try !FolderCopy.isInside(from.raw, to.raw))
    let copy = FolderCopy(keepsAttributes: false, avoided: [status], checkCancellation: {}, progress: { _ in })
    try copy.copy(from: from.raw, to: to.raw)
    #expect(copy.leftOut == ["cache"] && Files.list(place.path + "/from/cache/copy") == ["backup"])
  }

  @Test("a copy for another program that it has written to is known, however it writes")
  func editedCopies() throws {
    func isEdited(isFolder: Bool = false, _ edit: (String) throws -> Void) throws -> Bool {
      let folder = try TemporaryFolder()
      let sink = SavingSink(as: "note.txt") { folder.folder }
      if isFolder {
        let place = try Place()
        mkdir(place.path + "/from/inner", 0o700)
        try write("one", to: place.path + "/from/inner/a.txt")
        let from = try place.open("/from")
        _ = try sink.copyFolder(from.raw) { _ in }
      } else {
        try Array("one".utf8).withUnsafeBytes { try sink.append($0) }
      }
      try sink.finish()
      let path = try #require(sink.saved?.path)
      try folder.seal(try #require(path.split(separator: "/").last.map(String.init)))
      #expect(!TemporaryFolder.isEdited(folder.folder.path))
      // The clock of the file system ticks a few hundred times a second.
      try waitForTick(in: folder.folder.path)
      try edit(path)
      defer { Files.removeAll(path) }
      return TemporaryFolder.isEdited(folder.folder.path)
    }
    func waitForTick(in folder: String) throws {
      var (first, now) = (stat(), stat())
      let probe = folder + "/../tick-\(getpid())"
      defer { unlink(probe) }
      for status in 0... {
        try write("x", to: probe)
        #expect(stat(probe, &now) == 0)
        if status == 0 { first = now }
        if now.st_mtim.tv_nsec != first.st_mtim.tv_nsec { return }
      }
    }
    func write(_ text: String, to path: String) throws {
      let file = try Descriptor.open(path, O_WRONLY | O_CREAT, mode: 0o600)
      Output.write(Array(text.utf8), to: file.raw)
    }
    func shell(_ script: String) -> (String) throws -> Void {
      { path in
        let shell = try ChildProcess(["sh", "-c", "cd \"${1%/*}\" && \(script)", "sh", path])
        #expect(shell.waitForExit(seconds: 10) == 0, "\(script)")
      }
    }
    // Looking at it, also as a viewer that has a lock file meanwhile.
    #expect(try !isEdited { _ = try Files.read($0, limit: 100) })
    #expect(try !isEdited(shell("touch .lock && cat note.txt > /dev/null && rm .lock")))
    #expect(try !isEdited(isFolder: true) { _ = try Files.read($0 + "/inner/a.txt", limit: 100) })
    // Beside it, another copy of the drop was cut off as its program was killed.
    #expect(try !isEdited(shell("mkdir .carry-1-ab.part && echo half > .carry-1-ab.part/b")))
    // In place; beside a lock file, as vim does; with another time; in another file of the same name.
    for script in [
      "echo two >> note.txt", "touch .swp && echo two >> note.txt && rm .swp",
      "touch -r note.txt /tmp/time-$$ && echo two >> note.txt && touch -r /tmp/time-$$ note.txt && rm /tmp/time-$$",
      "sed -i s/one/two/ note.txt", "rm note.txt && echo two > note.txt", "chmod 400 note.txt",
    ] {
      #expect(try isEdited(shell(script)), "\(script)")
    }
    // A file from elsewhere, which is older than the copy.
    let place = try Place()
    try write("mine", to: place.path + "/thesis")
    #expect(try isEdited { rename(place.path + "/thesis", $0 + "-2") })
    for script in [
      "echo two >> note.txt/inner/a.txt", "echo b > note.txt/inner/b && mv note.txt/inner/b note.txt/inner/a.txt",
      "touch lock && echo two >> note.txt/inner/a.txt && rm lock",
    ] {
      #expect(try isEdited(isFolder: true, shell(script)), "\(script)")
    }
    // What cannot be looked at may have been changed; without a seal nobody has got it.
    #expect(try isEdited(shell("cd .. && mv \"$OLDPWD\" gone-$$ && touch \"$OLDPWD\" && rm -r gone-$$")))
    let unsealed = try TemporaryFolder()
    try write("half", to: unsealed.folder.path + "/half")
    #expect(!TemporaryFolder.isEdited(unsealed.folder.path))
  }

  @Test("M5: a deep folder is copied with two descriptors for a level, and nothing stays open")
  func M5_deepFolders() throws {
    let place = try Place()
    var path = place.path + "/from"
    for _ in 0..<20 {
      path += "/d"
      try check("mkdir", path) { mkdir(path, 0o700) }
    }
    try check("open") { close(clinux_open(path + "/file", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }
    let from = try place.open("/from")
    let to = try place.open("/to")
    func count() -> Int {
      Files.list("/proc/self/fd").count { Files.link("/proc/self/fd/" + $0)?.hasPrefix(place.path) == true }
    }
    let before = count()
    var most = 0
    let copy = FolderCopy(
      keepsAttributes: false, checkCancellation: { most = max(most, count() - before) }, progress: { _ in })
    try copy.copy(from: from.raw, to: to.raw)
    // The top has one, since the target is the caller's.
    #expect(most == 1 + 2 * 20 && count() == before)
    #expect(Files.exists(path.replacing("/from/", with: "/to/") + "/file"))
  }

  @Test("M5: what does not fit is refused before the disk is full, also where the file is all holes") func M5_room()
    throws
  {
    let place = try Place()
    let file = try Descriptor.open(place.path + "/from/holes", O_CREAT | O_RDWR, mode: 0o600)
    // More than any disk here has. Where files share blocks, there is no need for room.
    try check("ftruncate") { ftruncate(file.raw, 1 << 43) }
    let from = try place.open("/from")
    let to = try place.open("/to")
    // A copy that is begun all the same must not fill the disk of whoever runs the tests.
    var steps = 0
    let goOn = {
      steps += 1
      if steps > 4 { throw LoadError(.cancelled, "it is copied") }
    }
    let copy = FolderCopy(keepsAttributes: false, checkCancellation: goOn, progress: { _ in })
    var problem: String?
    do { try copy.copy(from: from.raw, to: to.raw) } catch { problem = "\(error)" }
    #expect(
      problem?.contains("holes: 8796093022208 bytes are needed, and ") ?? (copy.bytes == 1 << 43), "\(problem ?? "")")
  }

  @Test("Z32, M5: a folder that cannot be read whole is an error, and no empty folder") func Z32_M5_unreadable() throws
  {
    let place = try Place()
    try check("mkdir") { mkdir(place.path + "/from/listed", 0o700) }
    try check("open") { close(clinux_open(place.path + "/from/listed/file", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }
    // Its names can be read, and nothing else.
    chmod(place.path + "/from/listed", 0o400)
    defer { chmod(place.path + "/from/listed", 0o700) }
    let from = try place.open("/from")
    let to = try place.open("/to")
    cprivileges_beyond_permissions(false)
    defer { cprivileges_beyond_permissions(true) }
    let copy = FolderCopy(keepsAttributes: false, checkCancellation: {}, progress: { _ in })
    #expect(throws: LoadError.self) { try copy.copy(from: from.raw, to: to.raw) }
    #expect(throws: LoadError.self) { try FolderZip.write(from.raw, as: "from") { _ in } }
  }

  @Test("Z32, M5: a folder that is moved as an archive is sent whole, or not at all", arguments: [false, true])
  func Z32_M5_archivesOfMoves(isMove: Bool) throws {
    let place = try Place()
    mkfifo(place.path + "/from/pipe", 0o600)
    let from = try place.open("/from")
    var bytes = 0
    var problem: String?
    do { try FolderZip.write(from.raw, as: "from", isMove: isMove) { bytes += $0.count } } catch {
      problem = "\(error)"
    }
    #expect((problem?.contains("from/pipe cannot be moved") == true) == isMove && (problem != nil) == isMove)
    #expect(bytes > 0 || isMove)
  }

  @Test("R3: what a late cancel takes back is what was saved, and nothing that has the name since")
  func R3_discard() throws {
    let place = try Place()
    let folder = try SaveFolder(place.path + "/to")
    func save() throws -> SavingSink {
      let sink = SavingSink(as: "file") { folder }
      try [UInt8]("x".utf8).withUnsafeBytes { try sink.append($0) }
      try sink.finish()
      return sink
    }
    let first = try save()
    rename(place.path + "/to/file", place.path + "/to/mine")
    let second = try save()
    first.makeUndo()?()
    #expect(Files.list(place.path + "/to") == ["file", "mine"])
    second.makeUndo()?()
    #expect(Files.list(place.path + "/to") == ["mine"])
  }

  @Test("M5, R8: of a copy with permissions that lock its owner out, nothing is left when it is not wanted any more")
  func M5_R8_lockedFoldersAreRemoved() throws {
    let place = try Place()
    mkdir(place.path + "/from/locked", 0o700)
    try check("open") { clinux_open(place.path + "/from/locked/file", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600) }
    chmod(place.path + "/from/locked", 0o500)
    let from = try place.open("/from")
    let saved = try SaveFolder(place.path + "/to")
    cprivileges_beyond_permissions(false)
    defer { cprivileges_beyond_permissions(true) }
    let sink = SavingSink(as: "copy", keepsAttributes: true) { saved }
    _ = try sink.copyFolder(from.raw) { _ in }
    #expect(Files.list(place.path + "/to").count == 1)
    sink.undo()
    #expect(Files.list(place.path + "/to").isEmpty)
  }

  @Test("Z32: what is moved is on the disk, and its name too, before the source hears of it", arguments: [false, true])
  func Z32_movedFoldersAreSynced(isMove: Bool) throws {
    let place = try Place()
    let from = try place.open("/from")
    let calls = Mutex<[String]>([])
    let to = place.path + "/to"
    var sync = DiskSync()
    sync.file = { _ in
      calls.withLock { $0.append("fsync \(Files.list(to).contains("copy"))") }
      return 0
    }
    sync.fileSystem = { _ in
      calls.withLock { $0.append("syncfs \(Files.list(to).contains("copy"))") }
      return 0
    }
    let saved = try SaveFolder(to, sync: sync)
    let sink = SavingSink(as: "copy") { saved }
    if isMove { sink.isMove = true }
    _ = try sink.copyFolder(from.raw) { _ in }
    try sink.finish()
    #expect(calls.withLock { $0 } == (isMove ? ["syncfs false", "fsync true"] : []))
  }

  @Test("Z32: a disk that fails fails the move, and nothing stays", arguments: [0, 1])
  func Z32_failingDisks(which: Int) throws {
    let place = try Place()
    let from = try place.open("/from")
    var sync = DiskSync()
    let fails: @Sendable (CInt) -> CInt = { _ in
      // What a disk that has lost something says.
      _ = clinux_openat(-1, "", 0, 0)
      return -1
    }
    if which == 0 { sync.file = fails } else { sync.fileSystem = fails }
    let saved = try SaveFolder(place.path + "/to", sync: sync)
    let sink = SavingSink(as: "copy") { saved }
    sink.isMove = true
    _ = try sink.copyFolder(from.raw) { _ in }
    #expect(throws: SystemError.self) { try sink.finish() }
    sink.undo()
    #expect(Files.list(place.path + "/to").isEmpty)
  }
}
