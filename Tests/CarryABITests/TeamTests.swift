import CCarry
import CLinux
import CarrySystem
import CarryTesting
import Testing

/// Two programs with manifests: this process, which drags, and a target in C.
@Suite(.serialized, .enabled(if: Paths.library != nil, "LEFT OUT: libcarryabi.so is not built; run 'swift build'"))
struct TeamTests {
  @Test(
    "I16, K6: a program of the source's team reads the team data while the drag hovers; another program has none",
    arguments: ["example", "other"])
  func I16_K6_teamData(team: String) throws {
    let library = try #require(Paths.library)
    let peer = try PeerProgram.build(
      "team",
      "gcc -std=c11 -Wall -Wextra -Werror -I'\(Checkout.headers)' '\(Checkout.peers)/team.c' "
        + "'\(library)' -lX11")
    let folder = try TestFolder("abi")
    symlink(library, folder.path + "/libcarry.so.0")
    for (name, path, team) in [
      ("own", try #require(Files.canonical("/proc/self/exe")), "example"),
      ("peer", try #require(Files.canonical(peer)), team),
    ] {
      try folder.write("executable = \(path)\nteam = \(team)\n", to: "org.example.\(name).conf")
    }
    let desktop = try Desktop(
      recording: Paths.traces + "/press-drag-drop.gestures", clients: 2, options: ["--manifests", folder.path])
    let source = try App(desktop, name: "source", x: 50)
    source.items = {
      let item = carry_item_create()
      carry_item_add_text(item, "words")
      carry_item_set_team_data(item, "secret", 6)
      return [item]
    }
    source.setDrag()
    let target = try ChildProcess(
      [peer],
      environment: [
        "LD_LIBRARY_PATH": folder.path, "DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket,
      ], output: .pipe)
    #expect(App.run([source]) { source.calls.last == "did_transfer" }, "\(source.calls)")
    let lines = (0..<2).map { _ in target.readLine(seconds: 20) { _ in true } }
    #expect(lines == [team == "example" ? "hovers with secret" : "hovers with nothing", "dropped"])
  }
}
