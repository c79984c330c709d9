import CLinux
import CarryModel
import CarrySystem

/// A directory of files that decide who may see what: manifests, and the policy.
///
/// A file is accepted only if nobody but its owner can have written it. A link is accepted if it leads to a file of
/// the same directory.
struct GuardedFolder {
  /// The owner of the files.
  enum Owner {
    case root
    /// The user of the engine, or root.
    case user
  }

  private static let maxFiles = 1024
  private static let ending = ".conf"

  let path: String

  /// Whether the directory exists.
  func isThere() throws(FileProblem) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return true }
    let error = SystemError.last("stat")
    guard error.code == ENOENT || error.code == ENOTDIR else { throw FileProblem(file: path, message: error.reason) }
    return false
  }

  /// The names of the directory's files, in order; empty if the directory does not exist.
  func names() throws(FileProblem) -> [String] {
    // Other files may be there, but not so many that reading their names takes long.
    let all: [String]
    do { all = try Files.names(in: path, most: 8 * Self.maxFiles + 1) } catch {
      throw FileProblem(file: path, message: error.reason)
    }
    guard all.count <= 8 * Self.maxFiles else {
      throw FileProblem(file: path, message: "more than \(8 * Self.maxFiles) files of all kinds; none of them counts")
    }
    let names = all.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }
    guard names.count <= Self.maxFiles else {
      throw FileProblem(file: path, message: "more than \(Self.maxFiles) files; none of them counts")
    }
    return names
  }

  static func stem(_ name: String) -> String { String(name.dropLast(ending.count)) }

  /// The owner of the directory. A directory that others can write to is an error.
  func owner() throws(FileProblem) -> Owner {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileProblem(file: path, message: SystemError.last("stat").reason) }
    guard access(path, R_OK | X_OK) == 0 else {
      throw FileProblem(file: path, message: SystemError.last("access").reason)
    }
    return try Self.owner(status, path)
  }

  /// - Parameter limit: bytes.
  func read(_ name: String, limit: Int) throws(FileProblem) -> (bytes: [UInt8], owner: Owner) {
    let file = "\(path)/\(name)"
    guard let folder = Files.canonical(path), let real = Files.canonical(file) else {
      throw FileProblem(file: file, message: SystemError.last("realpath").reason)
    }
    guard real.hasPrefix(folder + "/") else {
      throw FileProblem(file: file, message: "the link leads out of the directory, to \(SafeText.displayable(real))")
    }
    do {
      let fd = try Descriptor.open(real, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
      var status = stat()
      try check("fstat", file) { fstat(fd.raw, &status) }
      guard status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
        throw FileProblem(file: file, message: "not a regular file")
      }
      let owner = try Self.owner(status, file)
      guard status.st_size <= limit else { throw FileProblem(file: file, message: "longer than \(limit) bytes") }
      return (try Files.readStart(fd.raw, most: limit, file), owner)
    } catch let problem as FileProblem {
      throw problem
    } catch {
      throw FileProblem(file: file, message: (error as? SystemError)?.reason ?? "cannot be read")
    }
  }

  private static func owner(_ status: stat, _ path: String) throws(FileProblem) -> Owner {
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      throw FileProblem(file: path, message: "belongs to another user (uid \(status.st_uid))")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw FileProblem(file: path, message: "others can write to it; chmod go-w keeps them away")
    }
    return status.st_uid == 0 ? .root : .user
  }
}
