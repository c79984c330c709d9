import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// A target of a file: in a sandbox or not, which asks where the file is or for what is in it.
  struct FileTarget: CustomTestStringConvertible {
    static let text = "on the lake"
    static let all = [
      FileTarget(isInSandbox: false, asksForPlace: true), FileTarget(isInSandbox: true, asksForPlace: true),
      FileTarget(isInSandbox: true, asksForPlace: false),
    ]
    let isInSandbox: Bool
    let asksForPlace: Bool

    var testDescription: String {
      (asksForPlace ? "the file" : "its content") + (isInSandbox ? " in a sandbox" : " outside")
    }

    func start(on d: Desktop, geometry: String) throws -> ChildProcess {
      let what = asksForPlace ? ["--print-path"] : ["--json"]
      return try d.tool(inSandbox: isInSandbox, ["drop", "--geometry", geometry] + what)
    }

    /// What it prints: a program in a sandbox gets the content only.
    func line(of file: String) -> String {
      if !asksForPlace { return "\"text\": \"\(Self.text)\"" }
      return isInSandbox ? "the source does not say where it is" : file
    }
  }

  /// Files of Carry's applications and programs that see other files than the engine, for which `unshare` makes a sandbox.
  @Suite(.serialized) struct Sandboxes {
    private func write(_ d: Desktop) throws -> String {
      let file = d.folder + "/note.txt"
      try Files.write(FileTarget.text, to: file)
      return file
    }

    @Test("Z19, K6: a program in a sandbox gets the content of a file, and not the file", arguments: FileTarget.all)
    func Z19_K6_toASandbox(target: FileTarget) throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let file = try write(d)
      let source = try d.source(file)
      let program = try target.start(on: d, geometry: "300x300+850+250")
      #expect(program.readLine(seconds: 20) { $0.contains(target.line(of: file)) } != nil)
      withExtendedLifetime(source) {}
    }

    @Test(
      "Z19, K6: a program in a sandbox gets a folder as an archive, and one outside as a folder",
      arguments: [false, true])
    func Z19_K6_folder(isInSandbox: Bool) throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let place = try TestFolder("saved")
      for name in ["album", "saved"] { try place.makeFolder(name) }
      try Files.write("on the lake", to: place.path + "/album/note.txt")
      let source = try d.source(place.path + "/album")
      let program = try d.tool(
        inSandbox: isInSandbox, ["drop", "--json", "--to", place.path + "/saved", "--geometry", "300x300+850+250"])
      let name = isInSandbox ? "album.zip" : "album"
      #expect(program.readLine(seconds: 20) { $0.contains("\"path\": \"\(place.path)/saved/\(name)\"") } != nil)
      let saved = try Files.readStart(place.path + "/saved/" + (isInSandbox ? name : "album/note.txt"), most: 2)
      #expect(saved == Array((isInSandbox ? "PK" : "on").utf8))
      withExtendedLifetime(source) {}
    }

    @Test("Z19, K6: a file of a program in a sandbox comes as a copy") func Z19_K6_fromASandbox() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let source = try d.tool(inSandbox: true, ["drag", "--geometry", "300x300+50+250", try write(d)])
      let program = try d.tool(inSandbox: false, ["drop", "--print-path", "--geometry", "300x300+850+250"])
      #expect(program.readLine(seconds: 20) { $0.contains("the source does not say where it is") } != nil)
      withExtendedLifetime(source) {}
    }

    @Test(
      "Z15, K6: a program in a sandbox gets the content of a file on the shelf, and not the file",
      arguments: FileTarget.all)
    func Z15_K6_fromTheShelf(target: FileTarget) throws {
      let s = try ShelfScene()
      let file = try write(s.d)
      s.apps[0].items = { _ in [DragItem(itemProvider: ItemProvider(contentsOf: file, fileOptions: .openInPlace))] }
      try s.keep(0, with: 0)
      let program = try target.start(on: s.d, geometry: "200x150+450+620")
      let frame = try s.openTab(with: 1)
      try s.carry(from: ShelfScene.cell(0, in: frame), to: (550, 700))
      var line: String?
      #expect(
        s.run {
          line = line ?? program.readLine(seconds: 0.02) { $0.contains(target.line(of: file)) }
          return line != nil
        })
    }
  }
}
