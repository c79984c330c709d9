import CLinux

/// Items dragged by programs that use another protocol.
enum ForeignItems {
  /// Whether a program sees the same files as the bridge, so that files may be opened for it by name. A sandboxed
  /// program could otherwise name a file that it cannot read and drop it on itself.
  static func areOfOurFiles(_ process: Int32?) -> Bool {
    guard let process else { return false }
    var ours = stat()
    var theirs = stat()
    var folder = stat()
    return stat("/proc/self/ns/mnt", &ours) == 0 && stat("/proc/\(process)/ns/mnt", &theirs) == 0
      && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
      && stat("/proc/\(process)", &folder) == 0 && folder.st_uid == getuid()
  }
}
