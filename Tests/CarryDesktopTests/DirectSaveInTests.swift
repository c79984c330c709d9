import CLinux
@testable import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension DesktopTests {
  /// XDS: another program saves a file where the bridge says, and it is dropped on Carry's.
  @Suite(.serialized) struct DirectSaveIn {
    private static let bytes = (0..<300_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }

    private func received(_ target: ChildProcess) -> String? {
      target.readLine(seconds: 20) { line in
        ["received", "failed"].contains { line.contains("\"event\": \"\($0)\"") }
      }
    }

    /// A drag of a file of this name over a target; whether the target would take it.
    private func begin(_ source: RawXdndSource, _ types: [String], name: String?) -> Bool? {
      source.client.setText(name, XdndOffer.directSave, of: source.window)
      guard source.serve(until: { source.finds(at: 1000, 400) }) else { return nil }
      source.enter(types)
      source.position(1000, 400)
      guard source.serve(until: { source.heard.contains { $0.kind == .status } }),
        case .status(let accepts, _)? = source.heard.last(where: { $0.kind == .status })
      else { return nil }
      return accepts || source.isAnswered(accepts: true, seconds: 2)
    }

    /// Where the bridge wants the file to be.
    private static func path(_ address: String) -> String? {
      DirectSavePlace(Array(address.utf8), offeredAs: "Lake.png").map { "\($0.folder)/\($0.name)" }
    }

    @Test(
      "Z1, Z3: a file that another program saves after the drop is dropped, with the name and type that it said before")
    func Z1_Z3_directSave() throws {
      let place = try TestFolder("saved")
      let d = try Desktop(compositor: nil, environment: ["XDG_CACHE_HOME": place.path])
      let target = try d.target("--accept", "image/png")
      let source = try #require(RawXdndSource(on: d))
      var addresses: [String] = []
      source.answers[XdndOffer.directSave] = .saves { address in
        addresses.append(address)
        guard let path = Self.path(address), (try? Files.write(Self.bytes, to: path)) != nil else { return "E" }
        return "S"
      }
      #expect(begin(source, [XdndOffer.directSave, "application/octet-stream"], name: "Lake.png") == true)
      #expect(source.asked.isEmpty && Files.list(place.path).isEmpty)
      source.drop()
      #expect(source.finished() == true)
      let line = try #require(received(target))
      #expect(line.contains("\"name\": \"Lake.png\"") && line.contains("\"type\": \"image/png\""), "\(line)")
      #expect(line.contains("\"bytes\": \(Self.bytes.count)"), "\(line)")
      #expect(source.asked == [XdndOffer.directSave])
      let address = try #require(addresses.first)
      #expect(address.hasPrefix("file://\(FileLink.ownHost)\(place.path)/carry/loads/"), "\(address)")
      // The copy is not needed any more.
      let loads = place.path + "/carry/loads"
      #expect(Wait.until { (try? Files.names(in: loads))?.isEmpty == true })
    }

    @Test("Z1, K6: a program in a sandbox gets the content of a file that another program saves")
    func Z1_K6_toASandbox() throws {
      let place = try TestFolder("saved")
      let d = try Desktop(compositor: nil, environment: ["XDG_CACHE_HOME": place.path])
      let target = try d.tool(inSandbox: true, ["drop", "--json", "--geometry", "300x300+850+250"])
      let source = try #require(RawXdndSource(on: d))
      source.answers[XdndOffer.directSave] = .saves { address in
        guard let path = Self.path(address), (try? Files.write(Self.bytes, to: path)) != nil else { return "E" }
        return "S"
      }
      #expect(begin(source, [XdndOffer.directSave, "application/octet-stream"], name: "Lake.png") == true)
      source.drop()
      #expect(source.finished() == true)
      let line = try #require(received(target))
      #expect(line.contains("\"name\": \"Lake.png\"") && line.contains("\"bytes\": \(Self.bytes.count)"), "\(line)")
    }

    @Test("Z1: a picture of a browser is the file that it saves, and not its address; its bytes where it saves none")
    func Z1_picture() throws {
      let place = try TestFolder("saved")
      let d = try Desktop(compositor: nil, environment: ["XDG_CACHE_HOME": place.path])
      let target = try d.target()
      let source = try #require(RawXdndSource(on: d))
      var saves = true
      source.answers = [
        XdndOffer.directSave: .saves { address in
          guard saves, let path = Self.path(address), (try? Files.write(Self.bytes, to: path)) != nil
          else { return "E" }
          return "S"
        },
        "text/uri-list": .bytes(Array("https://example.org/lake\r\n".utf8)), "image/png": .bytes([1, 2, 3]),
      ]
      let types = ["text/x-moz-url", "text/uri-list", "image/png", XdndOffer.directSave]
      #expect(begin(source, types, name: "Lake.png") == true)
      source.drop()
      #expect(source.finished() == true)
      let file = try #require(received(target))
      #expect(file.contains("\"name\": \"Lake.png\"") && file.contains("\"bytes\": \(Self.bytes.count)"), "\(file)")
      saves = false
      source.startAnew()
      #expect(begin(source, types, name: "Lake.png") == true)
      source.drop()
      #expect(source.finished() == true)
      let bytes = try #require(received(target))
      #expect(bytes.contains("\"type\": \"image/png\"") && bytes.contains("\"bytes\": 3"), "\(bytes)")
    }

    @Test(
      "Z1: a program that does not save, or saves something else, ends the load, and no more",
      arguments: [
        "F, and has the bytes", "F", "E", "S, and nothing is there", "a link", "a second name", "a folder", "a pipe",
        "refuses", "says nothing and goes",
      ])
    func Z1_badSources(how: String) throws {
      let place = try TestFolder("saved")
      let d = try Desktop(compositor: nil, environment: ["XDG_CACHE_HOME": place.path])
      let target = try d.target()
      try Files.write("secret", to: place.path + "/secret")
      let source = try #require(RawXdndSource(on: d))
      source.answers[XdndOffer.directSave] = .saves { address in
        guard let path = Self.path(address) else { return "E" }
        switch how {
        case "a link": symlink(place.path + "/secret", path)
        case "a second name": link(place.path + "/secret", path)
        case "a folder": mkdir(path, 0o700)
        case "a pipe": mkfifo(path, 0o600)
        case "F", "F, and has the bytes": return "F"
        case "E": return "E"
        case "says nothing and goes": return nil
        default: break
        }
        return "S"
      }
      if how == "refuses" { source.answers = [:] }
      if how == "F, and has the bytes" { source.answers["application/octet-stream"] = .bytes(Self.bytes) }
      #expect(begin(source, [XdndOffer.directSave], name: "Lake.png") == true)
      source.drop()
      if how == "says nothing and goes" {
        #expect(source.serve { !source.asked.isEmpty })
        source.client.destroy(source.window)
        source.client.sync()
      } else {
        #expect(source.finished() == (how == "F, and has the bytes"))
      }
      let line = try #require(received(target))
      #expect(line.contains("\"event\": \"failed\"") == (how != "F, and has the bytes"), "\(line)")
      if how == "F, and has the bytes" {
        #expect(line.contains("\"name\": \"Lake.png\"") && line.contains("\"bytes\": \(Self.bytes.count)"), "\(line)")
      }
      let loads = place.path + "/carry/loads"
      #expect(Wait.until { (try? Files.names(in: loads))?.isEmpty != false })
    }

    @Test(
      "Z1, Z15: a file that another program saves is kept for the shelf, and no drag that saves none is taken there",
      arguments: ["S", "E"])
    func Z1_Z15_onTheShelf(answer: String) throws {
      let place = try TestFolder("saved")
      let d = try Desktop(compositor: nil, environment: ["XDG_CACHE_HOME": place.path])
      // The bridge is there, and looks for drags.
      let target = try d.target()
      let looker = try #require(RawXdndSource(on: d, owning: false))
      #expect(looker.serve { looker.finds(at: 1000, 400) })
      let mouse = try FakeMouse(d.server.display)
      mouse.begin(at: 200, 400)
      let source = try #require(RawXdndSource(on: d))
      source.client.setText("Lake.png", XdndOffer.directSave, of: source.window)
      source.answers[XdndOffer.directSave] = .saves { address in
        Self.path(address).map { _ = try? Files.write(Self.bytes, to: $0) }
        return answer
      }
      #expect(Wait.until(seconds: 20) { DesktopTests.shelfFrame(on: d) != nil })
      let shelf = try #require(DesktopTests.shelfFrame(on: d)).center
      let (x, y) = (Int(shelf.x), Int(shelf.y))
      #expect(source.serve { source.finds(at: x, y) })
      source.enter([XdndOffer.directSave])
      source.position(x, y)
      #expect(source.isAnswered(accepts: true))
      source.drop()
      #expect(source.finished() == (answer == "S"))
      mouse.button(false)
      let loads = place.path + "/carry/loads"
      let kept = answer == "S" ? 1 : 0
      #expect(Wait.until { (try? Files.names(in: loads))?.count == kept })
      withExtendedLifetime(target) {}
    }

    @Test(
      "Z1: a name that no file should have is not taken, and neither is one that is far too long",
      arguments: [
        nil, "", "xds.txt", "../Lake.png", "a/b.png", "...", "a\nb.png", String(repeating: "a", count: 10 << 20),
      ])
    func Z1_names(name: String?) throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let source = try #require(RawXdndSource(on: d))
      source.answers[XdndOffer.directSave] = .saves { _ in "S" }
      #expect(begin(source, [XdndOffer.directSave], name: name) == false)
      #expect(source.asked.isEmpty)
      withExtendedLifetime(target) {}
    }
  }
}
