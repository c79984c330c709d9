import CLinux

/// The path of the engine's socket. The engine and its clients share this function, so that they always agree.
package enum RuntimeSocket {
  /// `$CARRY_SOCKET` if set (absolute, or a name in the runtime directory), otherwise `carry-0` in
  /// `$XDG_RUNTIME_DIR`, `/run/user/UID`, or a directory of the user's own in `/tmp`, the first that exists.
  ///
  /// - Parameter creating: Whether to create the directory in `/tmp` if needed; only the engine does.
  package static func path(creating: Bool = false) throws(SystemError) -> String {
    if let given = environment("CARRY_SOCKET") {
      return given.hasPrefix("/") ? given : try directory(creating: creating) + "/" + given
    }
    return try directory(creating: creating) + "/carry-0"
  }

  private static func directory(creating: Bool) throws(SystemError) -> String {
    if let runtime = environment("XDG_RUNTIME_DIR") {
      // In a directory writable by others, another user could take the name of the socket or of its lock.
      var status = stat()
      if creating, stat(runtime, &status) == 0, status.st_uid != getuid() || status.st_mode & 0o022 != 0 {
        throw SystemError(
          code: EPERM, call: "stat",
          subject:
            "XDG_RUNTIME_DIR=\(runtime), which others may write to (chmod 700 it, or name a directory of your own)")
      }
      return runtime
    }
    let run = "/run/user/\(getuid())"
    if access(run, W_OK) == 0 { return run }
    let own = "/tmp/carry-\(getuid())"
    if creating, mkdir(own, 0o700) != 0, clinux_errno() != EEXIST { throw SystemError.last("mkdir", own) }
    // Another user may have created the directory first, to impersonate the engine.
    var status = stat()
    guard lstat(own, &status) == 0 else {
      if creating { throw SystemError.last("lstat", own) }
      return own
    }
    guard status.st_mode & UInt32(S_IFMT) == UInt32(S_IFDIR), status.st_uid == getuid(), status.st_mode & 0o077 == 0
    else { throw SystemError(code: EPERM, call: "lstat", subject: own) }
    return own
  }
}
