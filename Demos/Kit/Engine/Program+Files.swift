import CDemoKit

/// Files and folders.
extension Program {
  /// A regular file's bytes; nil when it cannot be read or is larger than the limit.
  package static func read(_ path: String, limit: Int = 256 << 20) -> [UInt8]? {
    let fd = demo_open(path)
    guard fd >= 0 else { return nil }
    defer { close(fd) }
    return read(fd, limit: limit)
  }

  /// What is left of an open regular file; nil when it cannot be read or is larger than the limit.
  package static func read(_ fd: Int32, limit: Int = 256 << 20) -> [UInt8]? {
    let size = demo_file_size(fd)
    guard size >= 0, size <= limit else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(size))
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let n = CDemoKit.read(fd, &chunk, chunk.count)
      if n < 0, demo_errno() == EINTR { continue }
      guard n >= 0, bytes.count + n <= limit else { return nil }
      if n == 0 { return bytes }
      bytes += chunk[..<n]
    }
  }

  /// Writes a new file; true when all of it was written.
  package static func create(_ path: String, _ bytes: [UInt8]) -> Bool {
    let fd = demo_create(path)
    guard fd >= 0 else { return false }
    defer { close(fd) }
    return append(bytes, to: fd)
  }

  /// Gives an open file other contents; true when all of them were written.
  package static func replaceContents(of fd: Int32, with bytes: [UInt8]) -> Bool {
    ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 && append(bytes, to: fd)
  }

  private static func append(_ bytes: [UInt8], to fd: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let n = rest.withUnsafeBytes { CDemoKit.write(fd, $0.baseAddress, $0.count) }
      if n < 0, demo_errno() == EINTR { continue }
      guard n > 0 else { return false }
      rest = rest.dropFirst(n)
    }
    return true
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  package static func isFolder(_ path: String) -> Bool {
    guard let stream = opendir(path) else { return false }
    closedir(stream)
    return true
  }

  /// Whether files can be made in a folder; one is made to find out, and removed.
  package static func canWrite(inFolder path: String) -> Bool {
    let probe = "\(path)/.carry-\(getpid())"
    let fd = demo_create(probe)
    guard fd >= 0 else { return false }
    close(fd)
    unlink(probe)
    return true
  }

  /// When a file was changed last, in nanoseconds; 0 where there is none.
  package static func changeTime(_ path: String) -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    return status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
  }

  /// Makes a folder, and those that it is in.
  package static func makeFolders(_ path: String) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      _ = mkdir(made, 0o755)
    }
  }

  /// The names in a folder, sorted, without hidden ones; at most 1,000.
  package static func list(_ folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < 1000, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      if let name, !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
