import CLinux

/// Reads whole files and directories, with limits.
package enum Files {
  /// Reads a regular file into memory; refuses more than `limit` bytes and anything that is not a regular file.
  ///
  /// The check is made on the opened descriptor, so the path cannot be swapped in between.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let fd = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    var status = stat()
    try check("fstat", path) { fstat(fd.raw, &status) }
    let kind = status.st_mode & UInt32(S_IFMT)
    guard kind == UInt32(S_IFREG) else {
      throw SystemError(code: kind == UInt32(S_IFDIR) ? EISDIR : EINVAL, call: "read", subject: path)
    }
    guard status.st_size <= limit else { throw SystemError(code: EFBIG, call: "read", subject: path) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let n = try check("read", path) {
        bytes.withUnsafeMutableBytes { CLinux.read(fd.raw, $0.baseAddress! + filled, $0.count - filled) }
      }
      if n == 0 { break }
      filled += n
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Reads a file without a known size, such as the kernel's tables under /proc.
  package static func readAll(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let fd = try Descriptor.open(path, O_RDONLY | O_NOCTTY)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let n = try check("read", path) {
        chunk.withUnsafeMutableBytes { CLinux.read(fd.raw, $0.baseAddress, $0.count) }
      }
      if n == 0 { return bytes }
      guard bytes.count + n <= limit else { throw SystemError(code: EFBIG, call: "read", subject: path) }
      bytes += chunk[..<n]
    }
  }

  /// Reads the beginning of a file without a known size, such as the kernel's tables under /proc.
  ///
  /// - Parameter most: In bytes; the rest is not read.
  package static func readStart(_ path: String, most: Int) throws(SystemError) -> [UInt8] {
    let fd = try Descriptor.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    return try readStart(fd.raw, most: most, path)
  }

  /// Reads the beginning of an open file.
  package static func readStart(_ fd: CInt, most: Int, _ subject: String = "") throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: most)
    var filled = 0
    while filled < most {
      let n = try check("read", subject) {
        bytes.withUnsafeMutableBytes { CLinux.read(fd, $0.baseAddress! + filled, most - filled) }
      }
      if n == 0 { break }
      filled += n
    }
    bytes.removeLast(most - filled)
    return bytes
  }

  /// The target of a symbolic link; nil if there is none. The corresponding C function is `readlink`; the target
  /// itself is not accessed.
  package static func link(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let n = bytes.withUnsafeMutableBytes {
      readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return n > 0 ? String(decoding: bytes[..<n], as: UTF8.self) : nil
  }

  /// The absolute path. The corresponding C function is `getcwd`.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }

  /// The path without links, or nil if there is no such file. The corresponding C function is `realpath`. May wait
  /// for a file system.
  package static func canonical(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// The path from the root, without links except in its last component; nil if its folder does not exist.
  package static func found(_ path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard !["", ".", ".."].contains(name), !path.hasSuffix("/") else { return canonical(path) }
    let folder = String(decoding: path.utf8.dropLast(name.utf8.count), as: UTF8.self)
    return canonical(folder.isEmpty ? "." : folder).map { ($0 == "/" ? "" : $0) + "/" + name }
  }

  /// The process's file mode creation mask. `umask` could only report it by changing it for all threads.
  package static var umask: UInt32 {
    let status = (try? readAll("/proc/self/status", limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    return line?.split(separator: "\t").last.flatMap { UInt32($0, radix: 8) } ?? 0o077
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The names in a directory, sorted; empty if it cannot be read.
  ///
  /// - Parameter most: The maximum number; arbitrary names are left out.
  package static func list(_ path: String, most: Int = .max) -> [String] { (try? names(in: path, most: most)) ?? [] }

  /// The names in a directory, sorted. The corresponding C functions are `opendir` and `readdir`.
  ///
  /// - Parameter most: The maximum number; arbitrary names are left out.
  package static func names(in path: String, most: Int = .max) throws(SystemError) -> [String] {
    guard let dir = opendir(path) else { throw .last("opendir", path) }
    defer { closedir(dir) }
    var names: [String] = []
    while names.count < most {
      clinux_set_errno(0)
      guard let entry = readdir(dir) else {
        if clinux_errno() != 0 { throw .last("readdir", path) }
        break
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// The environment variable, nil when unset or empty.
package func environment(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
