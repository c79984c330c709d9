import CLinux
import CPrivileges
import CarrySystem
import CarryTesting
import Testing

@testable import Carry

/// Folders that are meant to do harm to whoever copies them.
@Suite struct FolderCopyTests {
  /// A folder that is gone after the test.
  private final class Place {
    let path = "/tmp/carry-copies-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    init() throws {
      for part in ["", "/from", "/to"] { try check("mkdir", path) { mkdir(path + part, 0o700) } }
    }
    deinit { _ = try? ChildProcess(["rm", "-rf", path]).waitForExit(seconds: 20) }

    func open(_ name: String) throws -> Descriptor { try Descriptor.open(path + name, O_RDONLY | O_DIRECTORY) }
  }

  @Test("T7, M5: a link that gets out of its folder through another link is left out")
  func T7_M5_linksThroughLinks() throws {
    let place = try Place()
    mkdir(place.path + "/from/a", 0o700)
    mkdir(place.path + "/from/a/b", 0o700)
    symlink("../..", place.path + "/from/a/b/top")
    symlink("a/b/top/../to", place.path + "/from/out")
    symlink("a/../../to", place.path + "/from/a/up")
    symlink("../a/b", place.path + "/from/a/across")
    let from = try place.open("/from")
    let to = try place.open("/to")
    let copy = FolderCopy(keepsAttributes: false, goOn: {}, progress: { _ in })
    try copy.copy(from: from.raw, to: to.raw)
    #expect(copy.leftOut.sorted() == ["a/up", "out"])
    #expect(Files.link(place.path + "/to/a/b/top") == "../.." && Files.link(place.path + "/to/a/across") == "../a/b")
  }

  @Test("M5, R8: of a copy with permissions that lock its owner out, nothing is left when it is not wanted any more")
  func M5_R8_lockedFoldersAreRemoved() throws {
    let place = try Place()
    mkdir(place.path + "/from/locked", 0o700)
    try check("open") { clinux_open(place.path + "/from/locked/file", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600) }
    chmod(place.path + "/from/locked", 0o500)
    let from = try place.open("/from")
    let saved = try SaveFolder(place.path + "/to")
    cprivileges_beyond_permissions(false)
    defer { cprivileges_beyond_permissions(true) }
    let sink = SavingSink(as: "copy", keepsAttributes: true) { saved }
    _ = try sink.takeFolder(from.raw) { _ in }
    #expect(Files.list(place.path + "/to").count == 1)
    sink.undo()
    #expect(Files.list(place.path + "/to").isEmpty)
  }
}
