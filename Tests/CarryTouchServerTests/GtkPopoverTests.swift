import CLinux
import CarrySystem
import CarryTesting
import Testing

/// Widgets in an autohide popover of GTK 4, for which GTK grabs the touchscreen.
@Suite(.serialized) struct GtkPopoverTests {
  @Test("Z25: a source in an autohide popover lifts by touch, and a button beside it is tapped") func Z25_popover()
    throws
  {
    let server = try TouchServer()
    let engine = try Engine(holdingTouchesOf: server)
    let monitor = try MonitorProcess(of: engine)
    let folder = try TestFolder("gtk-popover")
    symlink(try Checkout.program("libcarryabi.so"), folder.path + "/libcarry.so.0")
    let root = Checkout.root
    let program = try ChildProcess(
      [
        try PeerProgram.build(
          "gtk-popover",
          "gcc -std=gnu11 -Wall -Werror -O1 -I'\(Checkout.headers)' -I'\(root)/Sources/Library/CCarry/glib' "
            + "-I'\(root)/Toolkits/gtk' '\(Checkout.peers)/gtk-popover.c' '\(root)'/Toolkits/gtk/carry-gtk.c "
            + "'\(root)'/Toolkits/gtk/carry-gtk-*.c '\(root)'/Toolkits/gtk/carry-gtk4*.c "
            + "$(pkg-config --cflags --libs gtk4 gtk4-x11) -lm '\(try Checkout.program("libcarryabi.so"))'")
      ],
      environment: [
        "DISPLAY": server.display, "CARRY_SOCKET": engine.socket, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo",
        "G_DEBUG": "fatal-criticals", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
        "LD_LIBRARY_PATH": folder.path,
      ], output: .pipe)
    defer {
      program.stop()
      engine.stop(SIGKILL)
    }
    var places: [String: (x: Double, y: Double)] = [:]
    while let line = program.readLine(seconds: 20), line != "ready" {
      let words = line.split(separator: " ")
      if words.count == 4, words[0] == "place", let x = Double(words[2]), let y = Double(words[3]) {
        places[String(words[1])] = (x, y)
      }
    }
    let source = try #require(places["source"])
    let button = try #require(places["button"])
    var said: [String] = []
    func waits(for line: String) -> Bool {
      while let next = program.readLine(seconds: 10) {
        said.append(next)
        if next == line { return true }
      }
      return false
    }
    func lift() {
      server.down(1, source.x, source.y)
      #expect(waits(for: "lifting"))
      #expect(monitor.step("lifted", seconds: 10) != nil)
    }
    // GTK has had the touch as well, and is told to forget it: the row is not activated, and the popover stays.
    lift()
    server.up(1, source.x, source.y)
    #expect(waits(for: "ended"))
    lift()
    for i in 1...10 { server.move(1, source.x + Double(i) * 5, source.y + Double(i) * 20) }
    #expect(waits(for: "began"))
    server.up(1, source.x + 50, source.y + 200)
    #expect(waits(for: "from a popover"))
    server.down(2, button.x, button.y)
    server.up(2, button.x, button.y)
    #expect(waits(for: "clicked"))
    let rest = said.filter { $0 != "ended" }
    #expect(rest == ["lifting", "lifting", "began", "from a popover", "clicked"])
  }
}
