import CLinux
import CX11
@testable import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension RawXdndTarget {
  /// What is in the source's property, as the target of a drop reads it; nil where there is no such property.
  var savedName: String? {
    let connection = XGetXCBConnection(client.connection)
    let cookie = xcb_get_property(
      connection, 0, source, UInt32(truncatingIfNeeded: atom(XdndOffer.directSave)), 0, 0, 1024)
    guard let reply = xcb_get_property_reply(connection, cookie, nil) else { return nil }
    defer { free(reply) }
    guard reply.pointee.type != 0 else { return nil }
    let count = Int(xcb_get_property_value_length(reply))
    return String(decoding: UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: count), as: UTF8.self)
  }

  /// Has the file saved at an address, as the target of a drop does.
  ///
  /// - Parameter address: nil to take the property away.
  /// - Returns: the letter that it is answered with; nil when it is refused.
  func save(at address: String?, seconds: Double = 20) -> String? {
    client.setText(address, XdndOffer.directSave, of: WindowID(source))
    return convert(XdndOffer.directSave, seconds: seconds).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension XClient {
  /// Sets a property of text, or takes it away.
  func setText(_ text: String?, _ name: String, of window: WindowID) {
    let property = XInternAtom(connection, name, 0)
    if let text {
      let bytes = Array(text.utf8)
      XChangeProperty(
        connection, UInt(window.raw), property, XInternAtom(connection, "text/plain", 0), 8, PropModeReplace, bytes,
        CInt(bytes.count))
    } else {
      XDeleteProperty(connection, UInt(window.raw), property)
    }
    sync()
  }
}

extension TestFolder {
  fileprivate func has(_ bytes: [UInt8], _ name: String) -> Bool {
    (try? Files.read("\(path)/\(name)", limit: 16 << 20)) == bytes
  }
}

extension DesktopTests {
  /// XDS: the target of a drop says where a file is to be saved.
  @Suite(.serialized) struct DirectSave {
    private static let bytes = (0..<(2 << 20)).map { UInt8(ascii: "a") + UInt8($0 % 26) }

    @Test("Z1, Z3: a file is saved where the target of the drop says, once, and neither file nor name is had before")
    func Z1_Z3_directSave() throws {
      let place = try TestFolder("saved")
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      try Files.write(Self.bytes, to: d.folder + "/Lake.bin")
      let source = try d.source(d.folder + "/Lake.bin")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      #expect(target.savedName == nil)
      #expect(target.save(at: "file://\(place.path)/early.bin") == nil)
      #expect(target.answer(until: .leave) != nil)
      #expect(target.answer(until: .drop) != nil)
      #expect(target.savedName == "Lake.bin")
      let types = try #require(target.convert("TARGETS"))
      let last = types.suffix(4).enumerated().reduce(UInt(0)) { $0 | UInt($1.element) << (8 * $1.offset) }
      #expect(last == UInt(target.atom(XdndOffer.directSave)))
      // Targets put the name of the machine into it, and give the file another number where there is one.
      let address = "file://\(FileLink.ownHost)\(place.path)/Lake%20(2).bin"
      #expect(target.save(at: address) == "S")
      #expect(Files.list(place.path) == ["Lake (2).bin"] && place.has(Self.bytes, "Lake (2).bin"))
      #expect(target.save(at: address) == "S")
      #expect(target.save(at: "file://\(place.path)/more.bin") == "E")
      #expect(Files.list(place.path) == ["Lake (2).bin"])
      target.finish()
      #expect(d.playToTheEnd() == 0)
      #expect(events(source.remainingLines()).suffix(2) == ["dropped", "ended"])
      #expect(Files.list(place.path) == ["Lake (2).bin"])
    }

    @Test(
      "Z1: nothing is saved where there is something, or where nobody means it to be; the bytes are had")
    func Z1_hostilePlaces() throws {
      let place = try TestFolder("saved")
      let path = place.path
      try Files.write("old", to: path + "/taken.bin")
      symlink(path + "/nowhere.bin", path + "/link.bin")
      mkdir(path + "/.hidden", 0o700)
      symlink(path + "/.hidden", path + "/open")
      let before = Files.list(place.path)
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      try Files.write(Self.bytes, to: d.folder + "/Lake.bin")
      let source = try d.source(d.folder + "/Lake.bin")
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      let places: [String?] = [
        nil, "", "Lake.bin", "\(path)/Lake.bin", "file:Lake.bin", "file://elsewhere.example\(path)/Lake.bin",
        "http://localhost\(path)/Lake.bin", "file://\(path)/missing/Lake.bin", "file://\(path)/taken.bin/Lake.bin",
        "file://\(path)/taken.bin", "file://\(path)/link.bin", "file://\(path)/.Lake.bin",
        "file://\(path)/.hidden/Lake.bin", "file://\(path)/open/Lake.bin",
        "file://\(path)/Lake.desktop",
        "file://\(path)/", "file://\(path)/..", "file://\(path)/a%00.bin",
        "file://\(path)/" + String(repeating: "a", count: 10 << 20) + ".bin",
      ]
      for place in places { #expect(target.save(at: place) == "F", "\(place?.prefix(100) ?? "nothing")") }
      #expect(Files.list(place.path) == before && place.has(Array("old".utf8), "taken.bin"))
      let isWhole = target.convert("application/octet-stream") == Self.bytes
      #expect(isWhole)
      #expect(target.save(at: "file://\(path)/Lake.bin") == "S")
      target.finish()
      #expect(d.playToTheEnd() == 0)
      #expect(Files.list(place.path) == (before + ["Lake.bin"]).sorted() && place.has(Self.bytes, "Lake.bin"))
      _ = source
    }

    @Test("Z1: a target is told that there is nothing where the source fails, and nothing stays") func Z1_sourceFails()
      throws
    {
      let place = try TestFolder("saved")
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      try Files.write(Self.bytes, to: d.folder + "/Lake.bin")
      let source = try d.source(d.folder + "/Lake.bin")
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      unlink(d.folder + "/Lake.bin")
      #expect(target.save(at: "file://\(place.path)/Lake.bin") == "E")
      #expect(target.convert("application/octet-stream") == nil)
      target.finish(accepted: false)
      #expect(d.playToTheEnd() == 0)
      #expect(Files.list(place.path).isEmpty)
      _ = source
    }

    @Test(
      "Z1: a program that sees other files than the bridge is not asked where to save, and a text is no file",
      arguments: ["a file", "a file to a sandbox", "a text"])
    func Z1_notOffered(what: String) throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let launcher = what == "a file to a sandbox" ? ["unshare", "-r", "-m"] : []
      let peer = try XdndPeer(.gtk3, on: d, type: XdndOffer.directSave, through: launcher)
      try Files.write(Self.bytes, to: d.folder + "/Lake.bin")
      let source = try what == "a text" ? d.source("--text", "words") : d.source(d.folder + "/Lake.bin")
      #expect(d.playToTheEnd() == 0)
      #expect(events(source.remainingLines()).last == (what == "a file" ? "ended" : "cancelled"))
      // It does not write a place: the name of the file is none.
      if what == "a file" { #expect(peer.drop() == "got XdndDirectSave0 1 F") }
    }
  }
}
