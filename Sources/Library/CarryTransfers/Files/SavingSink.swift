import CLinux
import CarryModel
import CarrySystem

/// Saves the received data as a file or folder. Everything except `abandon` and `discard` runs on the worker's
/// thread.
package class SavingSink: FileReceivingSink {
  private let makePlace: () throws -> SaveFolder
  private let keepsAttributes: Bool
  private let isExact: Bool
  private var source: stat?
  private let name: String
  private let archiveName: String?
  private var place: SaveFolder?
  private var file: SaveFolder.Unnamed?
  private var leftOut: [String] = []
  private var isFolder = false
  private var byteCount = 0
  package var isMove = false
  private let abandonment = Cancellation()
  private let turn: FolderCopyLimiter.Slot
  /// Identifies the saved file or folder, even if another one has its name later.
  fileprivate var mark = stat()
  /// The saved file or folder, once complete.
  package private(set) var saved: LoadedFile?

  /// - Parameters:
  ///   - name: a safe name, under which the data is saved, or under the next free one.
  ///   - archiveName: the same for a folder that arrives as an archive; nil if that has the same name.
  ///   - isExact: whether only this name, and only a file, is acceptable.
  ///   - keepsAttributes: whether files keep their times and permissions.
  ///   - turns: where a folder waits for its turn to be copied.
  ///   - place: returns the folder; called first.
  package init(
    as name: String, archiveName: String? = nil, isExact: Bool = false, keepsAttributes: Bool = false,
    turns: FolderCopyLimiter = .shared,
    in place: @escaping () throws -> SaveFolder
  ) {
    turn = FolderCopyLimiter.Slot(turns)
    self.name = name
    self.archiveName = archiveName
    self.isExact = isExact
    self.keepsAttributes = keepsAttributes
    makePlace = place
  }

  private func checkCancellation() throws {
    if abandonment.isCancelled { throw LoadError(.cancelled, "the load was cancelled") }
  }

  private func checkTurn() throws {
    try checkCancellation()
    turn.heartbeat()
  }

  private func findPlace() throws -> SaveFolder {
    if let place { return place }
    let made = try makePlace()
    place = made
    return made
  }

  private func openFile() throws -> SaveFolder.Unnamed {
    if let file { return file }
    let made = try findPlace().makeFile()
    file = made
    return made
  }

  package func reserve(_ count: Int) throws {
    try findPlace().checkRoom(for: count)
    _ = try openFile()
  }

  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    try FileCopy.write(bytes, to: openFile().descriptor.raw, checkCancellation: checkCancellation)
    byteCount += bytes.count
  }

  package func clone(from fd: CInt, size: Int, _ progress: (Int) -> Void) throws -> Int {
    let file = try openFile()
    let done = try FileCopy.copy(
      from: fd, to: file.descriptor.raw, size: size, isNew: true, checkCancellation: checkCancellation,
      needsRoom: { try findPlace().checkRoom(for: $0) }, copied: progress)
    byteCount += done
    return done
  }

  /// Copies a folder with everything in it.
  ///
  /// - Returns: the bytes of all files.
  func copyFolder(_ fd: CInt, _ progress: @escaping (Int) -> Void) throws -> Int {
    if isExact { throw LoadError(.sourceFailed, "the source handed over a folder where a file was asked for") }
    var status = stat()
    if fstat(fd, &status) == 0 { willCopyAttributes(from: status) }
    let made = try findPlace().makeFolder()
    file = made
    isFolder = true
    let isInside = try FolderCopy.isInside(made.descriptor.raw, fd)
    let avoided = isInside ? try foldersToAvoid() : []
    try turn.begin(unless: checkCancellation, waits: { progress(0) })
    defer { turn.end() }
    let copy = FolderCopy(
      keepsAttributes: keepsAttributes, avoided: avoided, checkCancellation: checkTurn, progress: progress)
    try copy.copy(from: fd, to: made.descriptor.raw)
    leftOut = copy.leftOut
    byteCount = copy.bytes
    return copy.bytes
  }

  /// What a copy leaves out that lies inside its source.
  func foldersToAvoid() throws -> [stat] { throw LoadError(.local, "a folder cannot be copied into itself") }

  /// Announces the file whose bytes follow: its time and permissions may be kept.
  func willCopyAttributes(from status: stat) { source = status }

  /// Opens the source's own file.
  ///
  /// - Returns: its size; nil if a copy is needed.
  func openOriginal(_ fd: CInt, path: String) throws -> Int? { nil }

  package func finish() throws {
    let file = try openFile()
    try checkCancellation()
    if keepsAttributes, let source {
      FileCopy.keepAttributes(mode: source.st_mode, modified: source.st_mtim, of: file.descriptor.raw)
    } else {
      // As for a copy by `cp`: what only the user may read stays so.
      let usual: mode_t = isFolder ? 0o777 : 0o666
      let mode = source.map { isFolder ? $0.st_mode | 0o700 : $0.st_mode | 0o200 } ?? usual
      fchmod(file.descriptor.raw, mode & usual & ~Files.umask)
    }
    fstat(file.descriptor.raw, &mark)
    let path = try file.keep(as: isFolder ? name : archiveName ?? name, isExact: isExact, isMove: isMove)
    saved = LoadedFile(path: path, isFolder: isFolder, byteCount: byteCount, leftOut: leftOut)
    self.file = nil
  }

  /// Whether the saved folder has everything that the source's has.
  package var skippedNothing: Bool { saved?.leftOut.isEmpty ?? true }

  /// Removes everything received: not all of it could be accepted.
  func undo() { file = nil }

  package func abandon() {
    abandonment.cancel()
    turn.end()
  }

  /// Removes what was saved, which is no longer wanted. Called on the client's thread.
  package func discard() {
    guard let undo = makeUndo() else { return }
    try? Worker.start(undo)
  }

  /// Returns a function that removes the saved data, unless something else has its name by now; nil if nothing was
  /// saved.
  func makeUndo() -> (@Sendable () -> Void)? {
    guard let saved, let place, let name = saved.path.split(separator: "/").last.map(String.init) else { return nil }
    let (device, inode) = (mark.st_dev, mark.st_ino)
    return { place.remove(name) { $0.st_dev == device && $0.st_ino == inode } }
  }
}

/// Saves the received data in a folder that is removed with this sink, or by `remove`.
package class TemporarySink: SavingSink {
  private final class Place { var folder: TemporaryFolder? }

  private let made: Place
  var temporary: TemporaryFolder? { made.folder }

  /// - Parameter drop: where the copies of the drop are; nil for a folder of its own.
  package init(as name: String, archiveName: String? = nil, in drop: DropFolder? = nil) {
    let made = Place()
    self.made = made
    super.init(as: name, archiveName: archiveName) {
      let temporary = try drop?.place(for: name) ?? TemporaryFolder()
      made.folder = temporary
      return temporary.folder
    }
  }

  /// The copies of other programs are no part of the folder that the user dragged.
  override func foldersToAvoid() throws -> [stat] { try temporary?.places() ?? [] }

  /// Called on the client's thread, when the load is over.
  package func remove() { made.folder = nil }

  override package func discard() {}
}

/// Opens the source's own file, or a copy of the received data.
package final class OpeningSink: TemporarySink {
  private let takesFolders: Bool
  private var original: OpenedFile?

  /// - Parameter takesFolders: whether a folder is acceptable, for callers that only pass its path on.
  package init(as name: String, takesFolders: Bool, in drop: DropFolder? = nil) {
    self.takesFolders = takesFolders
    super.init(as: name, in: drop)
  }

  override func openOriginal(_ fd: CInt, path: String) throws -> Int? {
    // The source may claim anything: the file at the path must be the one that the source handed over. Opening
    // something else, such as a device, might already have an effect, so it is opened with O_PATH first.
    let looked = clinux_open(path, clinux_o_path() | O_NOFOLLOW | O_CLOEXEC, 0)
    guard looked >= 0 else { return nil }
    defer { close(looked) }
    var (here, there) = (stat(), stat())
    guard fstat(fd, &here) == 0, fstat(looked, &there) == 0, here.st_dev == there.st_dev, here.st_ino == there.st_ino
    else { return nil }
    let flags = clinux_get_status_flags(fd) & O_ACCMODE
    guard let file = try? Descriptor.open("/proc/self/fd/\(looked)", flags | O_NONBLOCK | O_NOCTTY) else { return nil }
    // By its own path, without links: it must not become a link later.
    guard let own = Files.link("/proc/self/fd/\(looked)"), own.hasPrefix("/") else { return nil }
    original = OpenedFile(file, path: own, isOriginal: true, here, copy: nil)
    return Int(here.st_size)
  }

  /// Refused before it is copied.
  override func copyFolder(_ fd: CInt, _ progress: @escaping (Int) -> Void) throws -> Int {
    if takesFolders { return try super.copyFolder(fd, progress) }
    throw LoadError(.local, "a folder cannot be opened as a file; load it as a file representation, or save it")
  }

  override package func finish() throws {
    guard original == nil else { return }
    try super.finish()
    guard let name = saved?.path.split(separator: "/").last else { return }
    do { try temporary?.seal(String(name)) } catch {
      makeUndo()?()
      throw error
    }
  }

  /// Returns the file, on the client's thread, once it is complete.
  package func open() throws(LoadError) -> OpenedFile {
    if let original { return original }
    guard let saved else { throw LoadError(.local, "there is no file") }
    do {
      let file = try Descriptor.open(saved.path, O_RDONLY)
      return OpenedFile(file, path: saved.path, isOriginal: false, mark, copy: temporary)
    } catch { throw LoadError(.local, error.sentence) }
  }
}
