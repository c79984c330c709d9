import CLinux
import CarryTesting
import Testing

/// A program with a toolkit that is the source and the target: Qt waits for the data without returning to its loop, so the
/// program cannot answer meanwhile.
@Suite(.serialized, .enabled(if: Paths.library != nil, "LEFT OUT: libcarryabi.so is not built; run 'swift build'"))
struct OwnProgramTests {
  private func start(_ engine: Engine, _ folder: TemporaryFolder, _ arguments: [String] = []) throws -> ChildProcess {
    let library = try #require(Paths.library)
    let program = try PeerProgram.build(
      "own-qt",
      "g++ -std=c++17 -fPIC -Wall -Wextra -Werror -I'\(Checkout.root)/Sources/CCarry/include' "
        + "'\(Checkout.peers)/own-qt.cpp' '\(library)' $(pkg-config --cflags --libs Qt6Widgets)")
    symlink(library, folder.path + "/libcarry.so.0")
    return try ChildProcess(
      [program] + arguments,
      environment: [
        "LD_LIBRARY_PATH": folder.path, "DISPLAY": engine.server.display, "CARRY_SOCKET": engine.socket,
        "QT_QPA_PLATFORM": "xcb",
      ], output: .pipe)
  }

  @Test("Z1, Z21: a Qt program's item is dropped on its own text field") func Z1_Z21_ownDrop() throws {
    let engine = try Engine("press-drag-drop", clients: 1)
    let folder = try TemporaryFolder()
    let program = try start(engine, folder)
    #expect(program.readLine(seconds: 40) { $0.hasPrefix("dropped") } == "dropped soon own words")
  }

  @Test("Z9, Z21: a Qt program pastes what it has copied by Carry") func Z9_Z21_ownPaste() throws {
    let engine = try Engine("press-drag-drop", clients: 1)
    let folder = try TemporaryFolder()
    let program = try start(engine, folder, ["copy"])
    #expect(program.readLine(seconds: 40) { $0.hasPrefix("pasted") } == "pasted soon own words")
    #expect(program.waitForExit(seconds: 10) == 0)
  }
}
