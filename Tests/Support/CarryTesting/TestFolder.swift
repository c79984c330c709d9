package import CLinux
package import CarrySystem

/// A folder in /tmp, which goes away with everything below it.
///
/// That is when its last user does, and at the latest when this process exits: objects that a test leaks may keep it.
/// Set CARRY_KEEP to look into it afterwards.
package final class TestFolder: Sendable {
  package let path: String

  /// - Parameter name: What it is for, as part of its name.
  package init(_ name: String) throws(SystemError) {
    var template = Array("/tmp/carry-\(name)-\(ProcessID.own)-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw .last("mkdtemp", name) }
    path = String(cString: made)
    if environment("CARRY_KEEP") == nil { Leftovers.all.note(folder: path) }
  }

  deinit { if Leftovers.all.forget(folder: path) { Files.removeAll(path) } }

  /// Writes a file in it, and returns the file's path.
  @discardableResult
  package func write(_ text: String, to name: String, mode: mode_t = 0o644) throws(SystemError) -> String {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  @discardableResult
  package func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o644) throws(SystemError) -> String {
    try Files.write(bytes, to: path + "/" + name, mode: mode)
    return path + "/" + name
  }

  /// Makes a folder in it, with those above it, and returns its path.
  @discardableResult
  package func makeFolder(_ name: String) throws(SystemError) -> String {
    var made = path
    for part in name.split(separator: "/") {
      made += "/" + part
      if !Files.exists(made) { try check("mkdir", made) { [made] in mkdir(made, 0o700) } }
    }
    return made
  }
}

extension Files {
  /// Replaces the contents of a file, or makes it.
  package static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(SystemError) {
    try write(Array(text.utf8), to: path, mode: mode)
  }

  package static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(SystemError) {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
    var rest = bytes[...]
    while !rest.isEmpty {
      let n = try check("write", path) { rest.withUnsafeBytes { CLinux.write(file.raw, $0.baseAddress, $0.count) } }
      rest = rest.dropFirst(n)
    }
  }

  /// Removes files, and folders with everything below them. Names may be anything, and other file systems stay.
  package static func removeAll(_ paths: String...) { removeAll(paths) }

  static func removeAll(_ paths: [String]) {
    _ = try? ChildProcess(["rm", "-rf", "--one-file-system", "--"] + paths).waitForExit(seconds: 20)
  }
}
