import CLinux
import CarryModel
import CarrySystem

/// Reports changes of a file by other programs, even if they save by replacing the file.
///
/// Watching ends when the object is released, or when its client is closed.
public final class FileWatch {
  /// The kind of change.
  public enum Change: Equatable, Sendable {
    /// The file has been written to, and may be written to further.
    case written
    /// Another file now has the name, possibly where there was none. Also reported if the kernel has lost events.
    case replaced
    /// No file has the name any more. If one appears later, that is reported as `replaced`; but if the folder itself
    /// was removed, or its file system unmounted, this is the last report.
    case removed
  }

  /// The watched file.
  public let path: String
  private let folder: String
  private let name: String
  private let inotify: Inotify
  private let handler: (Change) -> Void
  private let folderWatch: CInt
  private var fileWatch: CInt = -1

  // Not IN_CLOSE_WRITE, which also occurs when a file was opened for writing and not written to.
  private static let ofFile = UInt32(IN_MODIFY)
  private static let ofFolder = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Watches a file, which need not exist yet.
  ///
  /// - Parameters:
  ///   - path: a file in an existing folder. The name is watched: if it is a link, writes to its target are reported,
  ///     but not a replacement of the target. It is looked up on this thread, and again when another file has the
  ///     name: its file system may block this thread.
  ///   - client: calls the handler when it dispatches, on its thread.
  ///   - handler: called once for each kind of change, for many changes that arrive together.
  /// - Throws: `ClientError` if the folder cannot be watched.
  public init(_ path: String, client: Client, _ handler: @escaping (Change) -> Void) throws(ClientError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    name = parts.last.map(String.init) ?? ""
    let parents = parts.dropLast().joined(separator: "/")
    folder = path.hasPrefix("/") ? "/" + parents : (parents.isEmpty ? "." : parents)
    self.path = path
    self.handler = handler
    guard !name.isEmpty else { throw ClientError("'\(SafeText.displayable(path))' names no file to watch") }
    do { inotify = try Inotify() } catch { throw ClientError(error.sentence) }
    folderWatch = inotify.watch(folder, Self.ofFolder | UInt32(IN_ONLYDIR))
    guard folderWatch >= 0 else { throw ClientError(SystemError.last("inotify_add_watch", folder).sentence) }
    watchFile()
    client.add(self)
  }

  /// Readable when there are events; the client watches it.
  var descriptor: CInt { inotify.descriptor }

  private func watchFile() {
    let old = fileWatch
    fileWatch = inotify.watch(path, Self.ofFile)
    if old >= 0, old != fileWatch { inotify.forget(old) }
  }

  /// Reports the pending changes. Never blocks.
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
    // The folder may have been moved back to its place.
    if hasFolderMoved { note(fileWatch >= 0 ? .replaced : .removed) }
    for change in changes { handler(change) }
  }
}
