import CLinux
import CarrySystem
import CarryTesting
import Testing

/// Toolkits/python: the package, as its examples use it.
@Suite(.serialized, .enabled(if: Paths.library != nil, "LEFT OUT: libcarryabi.so is not built; run 'swift build'"))
struct PythonTests {
  private static let package = Checkout.root + "/Toolkits/python"

  /// Plays a finger before an example, from its left half to its right one.
  ///
  /// - Returns: what it prints.
  private func lines(of example: String) throws -> [String] {
    var script = FingerScript(width: 1280, height: 800)
    script.carry(from: (200, 200), at: 0, .to(550, 200, 700...900), upAt: 1500)
    let desktop = try Desktop(script, compositor: nil)
    // Debian's own, which has tkinter.
    let program = try ChildProcess(
      ["/usr/bin/python3", "-W", "error", Self.package + "/examples/" + example],
      environment: [
        "DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket, "PYTHONPATH": Self.package + "/src",
        "PYTHONDONTWRITEBYTECODE": "1", "CARRY_LIBRARY": Paths.library,
      ], output: .pipe)
    #expect(desktop.playToTheEnd() == 0)
    program.stop()
    return program.remainingLines()
  }

  @Test("Z27: with asyncio a coroutine makes what is requested, and another one awaits the drop") func Z27_asyncio()
    throws
  {
    let lines = try lines(of: "hello_asyncio.py")
    #expect(lines.sorted() == ["dropped: Drag me, made when asked for", "ended: COPY"], "\(lines)")
  }

  @Test("Z27: with the main loop of Tk a function is called with the text") func Z27_tk() throws {
    let lines = try lines(of: "hello_tk.py")
    #expect(lines == ["dropped: Drag me"], "\(lines)")
  }

  @Test("Z27: what the package knows of the library is what carry.h says") func Z27_header() throws {
    let result = try run(["/usr/bin/python3", Self.package + "/generate.py", "--check"])
    #expect(result.status == 0, "\(result.lines)")
  }
}
