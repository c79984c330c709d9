import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// What types are kinds of, as shared-mime-info's own files say.
  @Suite(.serialized) struct Types {
    /// A data directory whose database its own tool has made.
    private func makeDatabase(_ place: TestFolder) throws {
      let folder = place.path
      try place.makeFolder("mime/packages")
      let types = """
        <?xml version="1.0" encoding="UTF-8"?>
        <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
          <mime-type type="application/vnd.example.drawing">
            <comment>drawing</comment>
            <sub-class-of type="application/vnd.example.document"/>
            <alias type="application/x-example-drawing"/>
          </mime-type>
          <mime-type type="application/vnd.example.sketch">
            <comment>sketch</comment>
            <sub-class-of type="application/vnd.example.drawing"/>
            <sub-class-of type="image/vnd.example.lines"/>
          </mime-type>
        </mime-info>
        """
      try Files.write(types, to: folder + "/mime/packages/example.xml")
      let tool = try ChildProcess(["update-mime-database", folder + "/mime"], output: .inherit)
      try #require(tool.waitForExit(seconds: 30) == 0, "update-mime-database, of shared-mime-info, does not run")
      for name in ["aliases", "subclasses"] { #expect(Files.exists(folder + "/mime/" + name)) }
    }

    @Test("K4: kinds and aliases of types are those of the shared-mime-info files in XDG_DATA_HOME")
    func K4_fromTheFiles() throws {
      let folder = try TestFolder("types")
      try makeDatabase(folder)
      let d = try Desktop(
        Traces.pressDragDrop, clients: 2, compositor: nil, environment: ["XDG_DATA_HOME": folder.path])
      let source = try Player(d, "source")
      defer { source.close() }
      let target = try Player(d, "target")
      defer { target.close() }
      source.region(.init(x: 50, y: 250, width: 300, height: 300), color: 0, [DragInteraction(delegate: source)])
      target.region(.init(x: 850, y: 250, width: 300, height: 300), color: 0, [DropInteraction(delegate: target)])
      let offered = [
        "application/vnd.example.sketch", "application/x-example-drawing", "application/vnd.example.document",
      ]
      source.items = { _ in offered.map { DragItem(itemProvider: ItemProvider(data: [1], type: $0)) } }
      let wanted = [
        "application/vnd.example.document", "application/vnd.example.drawing", "image/vnd.example.lines",
        "application/octet-stream", "text/plain", "application/x-example-drawing",
      ]
      var answers: [[Bool]] = []
      target.perform = { session in
        answers = session.items.map { item in wanted.map { item.itemProvider.hasRepresentationConforming(to: $0) } }
      }
      #expect(Player.run([source, target]) { target.calls.contains("sessionDidEnd") })
      #expect(
        answers == [
          [true, true, true, true, false, true], [true, true, false, true, false, true],
          [true, false, false, true, false, false],
        ])
      // What a source knows of its own items comes from the same reader.
      let types = MediaTypes(directories: [folder.path])
      #expect(
        types.ancestors(of: offered[0]) == [
          "application/vnd.example.drawing", "image/vnd.example.lines", "application/vnd.example.document",
          "application/x-example-drawing", "application/octet-stream",
        ])
      #expect(
        types.ancestors(of: "application/X-Example-Drawing; version=2") == [
          "application/x-example-drawing", "application/vnd.example.drawing", "application/vnd.example.document",
          "application/octet-stream",
        ])
      #expect(MediaTypes(directories: []).ancestors(of: offered[0]) == ["application/octet-stream"])
    }
  }
}
