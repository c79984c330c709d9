package import CarrySystem

/// The checkout whose tests run: its files, and what is built in it.
package enum Checkout {
  /// An absolute path, without a slash at its end.
  package static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  package static let fixtures = root + "/Tests/Fixtures"
  /// Programs that tests run beside the engine.
  package static let peers = root + "/Tests/Support/Peers"

  /// Something that a test needs is not there, with what to do about it.
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
  /// - Parameter path: from the root, such as `docs/behaviour.md`.
  package static func text(_ path: String) throws(SystemError) -> String {
    String(decoding: try Files.read(root + "/" + path, limit: 1 << 22), as: UTF8.self)
  }
}
