import CLinux
import CarryModel
import CarrySystem

/// Tells when others change a file, also when they save by putting a new file in its place.
///
/// Watching ends when the object is let go of, or when its client is closed.
public final class FileWatch {
  /// What has happened to the file.
  public enum Change: Equatable, Sendable {
    /// It has been written to, and may be written to further.
    case written
    /// Another file has its name now, also where there was none; or may have, where there was more to tell than the kernel
    /// keeps.
    case replaced
    /// No file has its name any more. One may come, and is told as `replaced`; unless the folder itself was removed, or its
    /// file system unmounted: then this is the last that is told.
    case removed
  }

  /// The watched file.
  public let path: String
  private let folder: String
  private let name: String
  private let inotify: Inotify
  private let handler: (Change) -> Void
  private let folderWatch: CInt
  /// Whether another program has named the file.
  private let isForeign: Bool
  /// Which folder it is in then.
  private let mark: FileMark?
  private var fileWatch: CInt = -1

  // Not IN_CLOSE_WRITE, which comes also when a file was opened for writing and not written to.
  private static let ofFile = UInt32(IN_MODIFY)
  private static let ofFolder = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Watches a file, which need not be there yet.
  ///
  /// - Parameters:
  ///   - path: in a folder that is there. Its name is watched: where it is a link, not what becomes of the link's target but for
  ///     writing. It is looked up on this thread, and again when another file has its name. Of a path that
  ///     another program has named (`OpenedFile.path`) links are not followed; its file system may make this thread wait.
  ///   - client: calls the handler when it dispatches, on its thread.
  ///   - handler: told each kind of change once for many changes that came together.
  /// - Throws: `ClientError` when the folder cannot be watched.
  public init(_ path: String, client: Client, _ handler: @escaping (Change) -> Void) throws(ClientError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    name = parts.last.map(String.init) ?? ""
    let parents = parts.dropLast().joined(separator: "/")
    folder = path.hasPrefix("/") ? "/" + parents : (parents.isEmpty ? "." : parents)
    self.path = path
    self.handler = handler
    guard !name.isEmpty else { throw ClientError("'\(SafeText.displayable(path))' names no file to watch") }
    do { inotify = try Inotify() } catch { throw ClientError(error.sentence) }
    isForeign = ForeignPaths.contains(path)
    if isForeign {
      let place: Descriptor
      do { place = try Descriptor.open(withoutLinks: folder, clinux_o_path() | O_DIRECTORY) } catch {
        throw ClientError(error.sentence)
      }
      mark = FileMark.Known(place.raw)?.mark
      folderWatch = inotify.watch("/proc/self/fd/\(place.raw)", Self.ofFolder | UInt32(IN_ONLYDIR))
    } else {
      mark = nil
      folderWatch = inotify.watch(folder, Self.ofFolder | UInt32(IN_ONLYDIR))
    }
    guard folderWatch >= 0 else { throw ClientError(SystemError.last("inotify_add_watch", folder).sentence) }
    watchFile()
    client.add(self)
  }

  /// Readable when there is something to tell; the client watches it.
  var descriptor: CInt { inotify.descriptor }

  private func watchFile() {
    let old = fileWatch
    fileWatch = isForeign ? watchInPlace() : inotify.watch(path, Self.ofFile)
    if old >= 0, old != fileWatch { inotify.forget(old) }
  }

  /// Watches the file where it was: neither what a link in its place leads to, nor what is in another folder by now. The folder is
  /// not kept open, as it could not be unmounted then.
  private func watchInPlace() -> CInt {
    guard let place = try? Descriptor.open(withoutLinks: folder, clinux_o_path() | O_DIRECTORY),
      FileMark.Known(place.raw)?.mark == mark
    else { return -1 }
    return inotify.watch("/proc/self/fd/\(place.raw)/\(name)", Self.ofFile | UInt32(IN_DONT_FOLLOW))
  }

  /// Tells what has come, without waiting.
  func turn() {
    var changes: [Change] = []
    var hasFolderMoved = false
    func note(_ change: Change) {
      changes.removeAll { $0 == change }
      changes.append(change)
    }
    inotify.read { event in
      if event.isOverflow {
        note(.replaced)
      } else if event.watch == folderWatch {
        if event.mask & UInt32(IN_DELETE_SELF | IN_UNMOUNT) != 0 { return note(.removed) }
        if event.mask & UInt32(IN_MOVE_SELF) != 0 { return hasFolderMoved = true }
        guard event.name == name else { return }
        note(event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 ? .replaced : .removed)
      } else if event.watch == fileWatch, event.mask & Self.ofFile != 0 {
        note(.written)
      }
    }
    if hasFolderMoved || changes.contains(where: { $0 != .written }) { watchFile() }
    // It may have come back to its place.
    if hasFolderMoved { note(fileWatch >= 0 ? .replaced : .removed) }
    for change in changes { handler(change) }
  }
}
