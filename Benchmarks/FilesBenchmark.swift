import CLinux
import Carry
import CarrySystem

/// Copies of files and archives of folders, beside the programs that people use for them, in alternating rounds.
enum FilesBenchmark {
  static func run(_ arguments: Arguments) throws {
    let place = arguments.operands.first ?? "/var/tmp"
    let rounds = arguments.number("rounds", otherwise: 3)
    let folder = "\(place)/carry-bench-\(getpid())"
    guard mkdir(folder, 0o700) == 0 else { throw Failure("\(folder): cannot be made") }
    defer { _ = shell("rm -rf '\(folder)'") }
    try copies(folder, rounds, mebibytes: arguments.number("count", otherwise: 1024))
    try archives(folder, rounds)
  }

  /// Runs a command, and says how long it took.
  private static func shell(_ command: String) -> UInt64 {
    let began = nanoseconds()
    let words: [String] = ["sh", "-c", command]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid = pid_t()
    guard posix_spawnp(&pid, "sh", nil, nil, &arguments, clinux_environ()) == 0 else { return 0 }
    var status: CInt = 0
    waitpid(pid, &status, 0)
    return status == 0 ? nanoseconds() - began : 0
  }

  private static func copies(_ folder: String, _ rounds: Int, mebibytes: Int) throws {
    _ = shell("dd if=/dev/urandom of='\(folder)/file' bs=1M count=\(mebibytes) status=none")
    var (own, others): ([UInt64], [UInt64]) = ([], [])
    for _ in 0..<rounds {
      let began = nanoseconds()
      let source = try Descriptor.open(folder + "/file", O_RDONLY)
      let target = try Descriptor.open(folder + "/own", O_CREAT | O_TRUNC | O_WRONLY, mode: 0o600)
      let done = try FileCopy.copy(
        from: source.raw, to: target.raw, size: mebibytes << 20, isNew: true, checkCancellation: {}, copied: { _ in })
      guard done == mebibytes << 20 else { throw Failure("the kernel does not copy files in \(folder)") }
      own.append(nanoseconds() - began)
      unlink(folder + "/own")
      others.append(shell("cp --reflink=auto '\(folder)/file' '\(folder)/other'"))
      unlink(folder + "/other")
    }
    emit("copy-file", median(own), "ms")
    emit("cp", median(others), "ms")
    emit("copy-file-beside-cp", median(others) / median(own), "times")
    unlink(folder + "/file")
  }

  private static func archives(_ folder: String, _ rounds: Int) throws {
    let tree = folder + "/tree"
    mkdir(tree, 0o700)
    for i in 0..<100 {
      mkdir("\(tree)/\(i)", 0o700)
      for j in 0..<100 {
        let file = try Descriptor.open("\(tree)/\(i)/\(j).txt", O_CREAT | O_WRONLY, mode: 0o600)
        Output.write(String(repeating: "line \(i * j) of a file\n", count: 100), to: file.raw)
      }
    }
    var (own, others, first): ([UInt64], [UInt64], [UInt64]) = ([], [], [])
    for _ in 0..<rounds {
      let began = nanoseconds()
      var firstByte: UInt64?
      let source = try Descriptor.open(tree, O_RDONLY | O_DIRECTORY)
      let target = try Descriptor.open(folder + "/own.zip", O_CREAT | O_TRUNC | O_WRONLY, mode: 0o600)
      let fd = target.raw
      try FolderZip.write(source.raw, as: "tree") { bytes in
        if firstByte == nil { firstByte = nanoseconds() - began }
        try FileCopy.write(bytes, to: fd, checkCancellation: {})
      }
      own.append(nanoseconds() - began)
      first.append(firstByte ?? 0)
      others.append(shell("cd '\(folder)' && bsdtar --format zip -cf other.zip tree"))
    }
    emit("zip-folder", median(own), "ms")
    emit("bsdtar", median(others), "ms")
    emit("zip-folder-beside-bsdtar", median(others) / median(own), "times")
    emit("zip-folder-first-byte", median(first), "ms")
  }

  private static func median(_ times: [UInt64]) -> Double {
    let sorted = times.sorted()
    return Double(sorted[sorted.count / 2]) / 1e6
  }
}
