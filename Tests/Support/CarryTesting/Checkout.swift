package import CarrySystem

/// The checkout whose tests run: its files, and what is built in it.
package enum Checkout {
  /// An absolute path without a trailing slash.
  package static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  /// The folder of `carry.h`.
  package static let headers = root + "/Sources/Library/CCarry/include"
  package static let fixtures = root + "/Tests/Fixtures"
  /// Programs that tests run beside the engine.
  package static let peers = root + "/Tests/Support/Peers"

  /// The umask of this process, which the programs that it starts have, too.
  package static func umask() throws -> UInt32 {
    let status = String(decoding: try Files.readAll("/proc/self/status", limit: 1 << 16), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    guard let mask = line.flatMap({ UInt32($0.dropFirst(6).drop { $0.isWhitespace }, radix: 8) }) else {
      throw Missing(description: "/proc/self/status has no umask: Linux 4.7 has it")
    }
    return mask
  }
  /// Something that a test needs is missing, with advice.
  package struct Missing: Error, CustomStringConvertible {
    package var description: String
  }

  /// A program or a library of this build: `CARRY_BUILD_DIR` says where that is, else it is the debug build or, without
  /// one, the release build.
  package static func program(_ name: String) throws(Missing) -> String {
    let folders = [environment("CARRY_BUILD_DIR"), root + "/.build/debug", root + "/.build/release"].compactMap { $0 }
    guard let found = folders.map({ $0 + "/" + name }).first(where: { Files.exists($0) }) else {
      throw Missing(description: "\(name) is not built; run 'swift build' first")
    }
    return found
  }

  /// The text of a file of the checkout.
  ///
  /// - Parameter path: Relative to the root, for example `docs/behaviour.md`.
  package static func text(_ path: String) throws(SystemError) -> String {
    String(decoding: try Files.read(root + "/" + path, limit: 1 << 22), as: UTF8.self)
  }
}
