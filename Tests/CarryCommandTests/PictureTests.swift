import CarryContacts
import CarryModel
import CarryRecordings
import CarrySystem
import CarryTesting
import Testing

@testable import CarryCommand

/// Recordings as pictures.
@Suite struct PictureTests {
  private func picture(_ script: String, named name: String = "a", events: [EvdevEvent] = []) throws -> String {
    var recording = try GestureScriptParser.parse(Array(script.utf8), file: name).recording(file: name)
    recording.events = (recording.events + events).sorted { $0.time < $1.time }
    return try RecordingPicture(recording, file: name, screen: Size(width: 1280, height: 800)).svg
  }

  private func count(_ text: String, in svg: String) -> Int { svg.split(separator: text).count - 1 }

  @Test("Z29: a picture has each contact's path, what the fingers do, and when") func Z29_paths() throws {
    let svg = try picture("press 200,400\nmove to 900,400 in 300ms\ntap 2 300,500\nup")
    #expect(count("<polyline", in: svg) == 2)
    for word in ["lifted 0.50 s", "drag 0.", "tap 1.06 s"] { #expect(svg.contains(">\(word)"), "\(word)") }
    // A contact that has ended has a cross, and each row of the timeline its marks.
    #expect(count("0 -10l-10 10", in: svg) == 2 && count("r=\"4\" fill=", in: svg) == 3)
    #expect(!svg.contains("lost"))
  }

  @Test("Z29: a contact that a panel lost for a moment, and events that the kernel lost, are marked") func Z29_lost()
    throws
  {
    let flicker = try picture("press 200,400\nup\nwait 40ms\ndown 2 204,401\nwait 500ms\nup 2")
    #expect(flicker.contains("lost for 40 ms"))
    let elsewhere = try picture("press 200,400\nup\nwait 40ms\ndown 2 700,401\nup 2")
    #expect(!elsewhere.contains("lost for"))
    let dropped = try picture(
      "press 200,400\nwait 1s\nup",
      events: [EvdevEvent(time: Instant(microseconds: 900_000), type: Evdev.syn, code: Evdev.synDropped, value: 0)])
    #expect(dropped.contains("events lost"))
  }

  @Test("Z29: a name that is no XML stays a name") func Z29_names() throws {
    #expect(try picture("tap 1,1", named: "<a&\"b\">").contains("&lt;a&amp;&quot;b&quot;&gt;"))
  }

  @Test("Z29: a picture is written once, and again only with --force") func Z29_file() throws {
    let folder = try TestFolder("picture")
    let script = try folder.write("tap 100,100", to: "a.gestures")
    let out = folder.path + "/a.svg"
    for (more, status) in [([], CommandStatus.done), ([], .nothing), (["--force"], .done)] {
      let printer = Printer(capturing: true)
      #expect(CarryTool.run(["describe", "--picture", out] + more + [script], printer) == status, "\(printer.errors)")
    }
    #expect(try String(decoding: Files.read(out, limit: 1 << 20), as: UTF8.self).hasPrefix("<svg"))
  }
}
