import CarryModel
import CLinux

/// The sandbox of a process that sees other files than the engine does.
struct SandboxFacts {
  private let folder: String
  private let kernelFileSystems: Set<String>

  /// - Parameter folder: The process's directory in procfs.
  init(_ folder: String, _ kernelFileSystems: Set<String>) {
    self.folder = folder
    self.kernelFileSystems = kernelFileSystems
  }

  var sandbox: Sandbox { snap.map { .snap($0) } ?? flatpak.map { .flatpak($0) } ?? .unknown }

  // MARK: Snap

  /// The process's security label, or without labels its control group.
  private var snap: String? {
    for name in ["attr/apparmor/current", "attr/current"] {
      guard let label = text(name), label.hasPrefix("snap.") else { continue }
      return part(label.prefix { $0 != " " && $0 != "\n" && $0 != "\0" })
    }
    for line in text("cgroup")?.split(separator: "\n") ?? [] {
      guard let unit = line.split(separator: "/").last, unit.hasPrefix("snap."),
        unit.hasSuffix(".scope") || unit.hasSuffix(".service")
      else { continue }
      return part(unit)
    }
    return nil
  }

  /// `snap.firefox.firefox` is the snap `firefox`.
  private func part(_ label: Substring) -> String? {
    let parts = label.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return nil }
    return Self.name(parts[1])
  }

  // MARK: Flatpak

  /// The application ID from the file that Flatpak puts into each sandbox.
  ///
  /// No link is followed, and no file system is accessed that a program might control: each file is opened before its
  /// mount is looked up, so that it cannot be replaced.
  private var flatpak: String? {
    guard let mounts = try? Files.readStart("\(folder)/mountinfo", most: 1 << 18),
      let root = try? Descriptor.open(folder + "/root", clinux_o_path() | O_DIRECTORY), isKernels(root.raw, mounts)
    else { return nil }
    let raw = clinux_openat(root.raw, ".flatpak-info", clinux_o_path() | O_NOFOLLOW | O_CLOEXEC, 0)
    guard raw >= 0 else { return nil }
    let found = Descriptor(owning: raw)
    guard FileMark.Known(found.raw)?.isRegular == true, isKernels(found.raw, mounts),
      let bytes = try? Files.readStart("/proc/self/fd/\(found.raw)", most: 1 << 16)
    else { return nil }
    var isInApplication = false
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") {
        isInApplication = line == "[Application]"
      } else if isInApplication, line.hasPrefix("name=") {
        return Self.name(line.dropFirst("name=".count))
      }
    }
    return nil
  }

  /// Whether an open file is on a file system that the kernel itself provides.
  ///
  /// - Parameter mounts: The mounts of the process, which may have any number of them; scanned byte by byte.
  private func isKernels(_ fd: CInt, _ mounts: [UInt8]) -> Bool {
    guard let info = try? Files.readStart("/proc/self/fdinfo/\(fd)", most: 4096),
      let line = String(decoding: info, as: UTF8.self).split(separator: "\n").first(where: { $0.hasPrefix("mnt_id:") })
    else { return false }
    let start = Array(line.dropFirst("mnt_id:".count).drop { $0 == " " || $0 == "\t" }.utf8) + [UInt8(ascii: " ")]
    for mount in mounts.split(separator: UInt8(ascii: "\n")) {
      // 36 35 98:0 /root /mount/point options optional fields - type source options
      guard mount.starts(with: start) else { continue }
      let words = mount.split(separator: UInt8(ascii: " "))
      guard let dash = words.firstIndex(where: { $0 == [UInt8(ascii: "-")] }), dash + 1 < words.count else {
        return false
      }
      return kernelFileSystems.contains(String(decoding: words[dash + 1], as: UTF8.self))
    }
    return false
  }

  // MARK: Texts

  private func text(_ name: String, most: Int = 1 << 12) -> String? {
    (try? Files.readStart("\(folder)/\(name)", most: most)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// A name of letters, digits, dots, dashes and underscores; nil for anything else.
  private static func name(_ text: Substring) -> String? {
    let isPlain = text.utf8.allSatisfy { b in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(b | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(b)
        || b == UInt8(ascii: ".") || b == UInt8(ascii: "-") || b == UInt8(ascii: "_")
    }
    return isPlain && !text.isEmpty && text.utf8.count <= Limits.nameBytes ? String(text) : nil
  }
}
