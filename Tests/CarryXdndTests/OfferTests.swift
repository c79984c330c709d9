import CarryModel
import CarryXdnd
import Testing

@Suite struct OfferTests {
  @Test("Z1: text has the names that toolkits know") func Z1_text() {
    let offer = XdndOffer([.init(name: "", types: ["text/html", "text/plain;charset=utf-8", "text/plain"])])
    #expect(offer.types == ["text/html", "text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING"])
    #expect(offer.recipe(for: "text/html") == .bytes(.init(0, "text/html")))
    #expect(offer.recipe(for: "STRING") == .text([.init(0, "text/plain;charset=utf-8")], .latin1))
    #expect(offer.recipe(for: "image/png") == nil)
  }

  @Test("Z1: what is a file is offered as an address, too") func Z1_files() {
    let photo = XdndOffer.Item(name: "Lake.png", types: ["image/png"])
    #expect(XdndOffer([photo]).types == ["text/uri-list", "image/png"])
    // A picture without a name is a picture first.
    #expect(XdndOffer([.init(name: "", types: ["image/png"])]).types == ["image/png", "text/uri-list"])
    #expect(XdndOffer([.init(name: "", types: ["application/x-color"])]).types == ["application/x-color"])
    let note = XdndOffer.Item(name: "note.txt", types: ["text/plain"])
    #expect(XdndOffer([note]).types.first == "text/uri-list")
    let many = XdndOffer([photo, note])
    #expect(many.types == ["text/uri-list"])
    #expect(
      many.recipe(for: "text/uri-list")
        == .addresses([.file(.init(0, "image/png")), .file(.init(1, "text/plain"))]))
  }

  @Test("Z1: several texts are one text, and no files") func Z1_severalTexts() {
    let note = XdndOffer.Item(name: "", types: ["text/plain"])
    #expect(XdndOffer([note, note]).types.first == "text/plain;charset=utf-8")
    #expect(!XdndOffer([note, note]).types.contains("text/uri-list"))
    #expect(XdndOffer([note, .init(name: "", types: ["image/png"])]).types == ["text/uri-list"])
  }

  @Test("Z1: a link has the types that browsers know") func Z1_links() {
    let link = XdndOffer.Item(name: "", types: ["text/uri-list", "text/plain"])
    #expect(XdndOffer([link]).types.prefix(3) == ["text/uri-list", "text/x-moz-url", "_NETSCAPE_URL"])
    let both = XdndOffer([link, link])
    #expect(both.types.first == "text/uri-list" && both.types.contains("UTF8_STRING"))
    #expect(both.recipe(for: "text/plain") == .text([.init(0, "text/plain"), .init(1, "text/plain")], .utf8))
  }

  @Test("Z3: what stands for the data while a drag hovers has the right type, and says nothing") func Z3_placeholders()
  {
    let file = XdndOffer([.init(name: "Lake.png", types: ["image/png"])])
    #expect(file.placeholder(for: "text/uri-list") == Array("file:///dev/null\r\n".utf8))
    #expect(file.placeholder(for: "image/png") == [0x20] && file.placeholder(for: "text/plain") == nil)
    let link = XdndOffer([.init(name: "", types: ["text/uri-list", "text/plain"])])
    #expect(link.placeholder(for: "text/uri-list") == Array("about:blank\r\n".utf8))
    // Some programs look at the endings of names.
    let named = XdndOffer([.init(name: "a.kdbx", types: ["application/x-keepass2"]), .init(name: "b", types: ["x/y"])])
    let hint = named.placeholder(for: "text/uri-list") { item in named.files[item].map { "file:///p/" + $0.name } }
    #expect(hint == Array("file:///p/a.kdbx\r\nfile:///p/b\r\n".utf8))
    #expect(link.placeholder(for: "text/uri-list") { _ in nil } == Array("about:blank\r\n".utf8))
    #expect(link.placeholder(for: "text/x-moz-url")?.prefix(4) == [0x61, 0, 0x62, 0])
    #expect(link.placeholder(for: "STRING") == [0x20])
  }

  @Test("an item cannot have types that mean something to the selection's owner") func reservedTypes() {
    let offer = XdndOffer([.init(name: "", types: ["TARGETS", "DELETE", "MULTIPLE", "XdndDirectSave0", "a/b"])])
    #expect(!offer.types.contains("TARGETS") && !offer.types.contains("DELETE") && offer.types.contains("a/b"))
    #expect(XdndOffer([]).types.isEmpty)
  }

  @Test("Z19: files are offered by the portal, too, to a program in a sandbox; texts, links and the rest are not")
  func Z19_portal() {
    let file = XdndOffer.Item(name: "Lake.png", types: ["image/png"])
    #expect(!XdndOffer([file]).types.contains { XdndOffer.portalTypes.contains($0) })
    let offer = XdndOffer([file], usesPortal: true)
    #expect(offer.types == ["text/uri-list", "image/png"] + XdndOffer.portalTypes)
    for type in XdndOffer.portalTypes {
      #expect(offer.recipe(for: type) == .transfer([.file(.init(0, "image/png"))]))
      #expect(offer.placeholder(for: type) == nil)
    }
    let link = XdndOffer.Item(name: "", types: ["text/uri-list"])
    let text = XdndOffer.Item(name: "", types: ["text/plain"])
    let folder = XdndOffer.Item(name: "Lakes", types: ["inode/directory"])
    for items in [[link], [text], [text, text], [file, link], [folder], [file, folder]] {
      #expect(!XdndOffer(items, usesPortal: true).types.contains(XdndOffer.portalTypes[0]), "\(items)")
    }
    #expect(XdndOffer([file, file], usesPortal: true).types.contains(XdndOffer.portalTypes[0]))
  }

  @Test(
    "Z1: one file can be saved where the target says, which comes last; texts, links, folders and several items cannot")
  func Z1_directSave() {
    let file = XdndOffer.Item(name: "Lake.png", types: ["image/png"])
    #expect(!XdndOffer([file]).types.contains(XdndOffer.directSave))
    let offer = XdndOffer([file], savesDirectly: true)
    #expect(offer.types == ["text/uri-list", "image/png", XdndOffer.directSave])
    #expect(offer.recipe(for: XdndOffer.directSave) == .directSave(.init(0, "image/png")))
    #expect(offer.savedPart == .init(0, "image/png") && offer.placeholder(for: XdndOffer.directSave) == nil)
    // For a target that could not have it saved.
    #expect(offer.recipe(for: XdndOffer.anyBytes) == .bytes(.init(0, "image/png")))
    #expect(XdndOffer([.init(name: "", types: ["image/png"])], savesDirectly: true).savedPart != nil)
    let link = XdndOffer.Item(name: "", types: ["text/uri-list"])
    let text = XdndOffer.Item(name: "", types: ["text/plain"])
    let folder = XdndOffer.Item(name: "Lakes", types: ["inode/directory"])
    for items in [[link], [text], [folder], [file, file]] {
      let offer = XdndOffer(items, savesDirectly: true)
      #expect(!offer.types.contains(XdndOffer.directSave) && offer.savedPart == nil, "\(items)")
    }
  }

  @Test("Z1: a list of files has no types with room for one address, and a page has") func Z1_lists() {
    for name in ["", "files"] {
      #expect(XdndOffer([.init(name: name, types: ["text/uri-list"])]).types == ["text/uri-list"])
    }
    let file = XdndOffer.Item(name: "a.txt", types: ["text/plain", "text/uri-list"])
    #expect(!XdndOffer([file]).types.contains("text/x-moz-url"))
    let page = XdndOffer.Item(name: "Lake", types: ["text/uri-list", "text/plain"])
    #expect(XdndOffer([page]).types.contains("text/x-moz-url"))
  }

  @Test("Z1: a picture is offered as a PNG file, too, behind its own types, unless it is one") func Z1_picture() {
    let photo = XdndOffer.Item(name: "Lake.webp", types: ["image/webp", "text/plain"])
    #expect(!XdndOffer([photo]).types.contains("image/png"))
    let offer = XdndOffer([photo], savesDirectly: true, makesPNG: true)
    #expect(offer.types.prefix(2) == ["text/uri-list", "image/webp"])
    #expect(offer.types.suffix(2) == ["image/png", XdndOffer.directSave])
    #expect(offer.recipe(for: "image/png") == .png(.init(0, "image/webp")))
    #expect(offer.placeholder(for: "image/png") == [0x20])
    let nameless = XdndOffer([.init(name: "", types: ["image/webp"])], makesPNG: true)
    #expect(nameless.types == ["image/webp", "image/png", "text/uri-list"])
    let png = XdndOffer.Item(name: "", types: ["image/webp", "image/png"])
    #expect(XdndOffer([png], makesPNG: true).recipe(for: "image/png") == .bytes(.init(0, "image/png")))
    for items in [[photo, photo], [.init(name: "", types: ["text/plain"])]] {
      #expect(!XdndOffer(items, makesPNG: true).types.contains("image/png"))
    }
  }

  @Test("Z1: the letter that says what became of a saved file") func Z1_directSaveAnswer() {
    #expect(
      [[0x53], [0x46], [0x45], [0x58], [], [0x53, 0]].map { DirectSaveAnswer($0) } == [
        .saved, .refused, .failed, .failed, .failed, .failed,
      ])
  }

  @Test("Z1: the bytes of texts, lists and links") func Z1_bytes() {
    #expect(XdndData.text([Array("a".utf8), Array("ü€".utf8)], .latin1) == [0x61, 0x0A, 0xFC, 0x3F])
    let list = Array("# none\r\nhttp://a/\r\nfile:///b\n".utf8)
    #expect(XdndData.addresses(list).map { String(decoding: $0, as: UTF8.self) } == ["http://a/", "file:///b"])
    #expect(String(decoding: XdndData.list(list), as: UTF8.self) == "http://a/\r\nfile:///b\r\n")
    #expect(XdndData.list(["http://a/", "file:///b"]) == XdndData.list(list))
    #expect(XdndData.addresses(list, most: 1).count == 1)
    #expect(XdndData.link(list, .utf8, title: "A").map { String(decoding: $0, as: UTF8.self) } == "http://a/\nA")
    #expect(XdndData.link([UInt8](repeating: 97, count: (2 << 20) + 1), .utf8, title: "A") == nil)
    #expect(XdndData.link([], .utf16, title: "") == [0x0A, 0])
  }
}

@Suite struct MessageTests {
  @Test("Z1: messages are read as they were written, and any numbers are some message") func Z1_messages() {
    let all: [XdndMessage] = [
      .enter(version: 5, types: (1, 2, 3), hasMore: true), .position(Point(x: 700, y: 12), time: 9, action: 4),
      .status(accepts: true, action: 7), .leave, .drop(time: 3), .finished(accepted: true, action: 7),
    ]
    for message in all { #expect(XdndMessage(message.kind, message.words(from: 1)) == message) }
    let odd = XdndMessage.Words(.max, .max, .max, .max, .max)
    guard case .position(let point, _, _) = XdndMessage(.position, odd) else { return #expect(Bool(false)) }
    #expect(point == Point(x: -1, y: -1))
  }

  @Test("Z2, Z3: a request for data belongs to the drop on its own program, by connection, process and time")
  func Z2_Z3_match() {
    let drops = [Drop(receiver: 0x300001, process: 10, time: 100), Drop(receiver: 0x400001, process: 20, time: 101)]
    func receiver(_ requestor: UInt32, _ time: UInt32, _ process: Int32? = nil) -> UInt32? {
      Drop.match(requestor, time, among: drops) { process }?.receiver
    }
    #expect(receiver(0x300077, 100) == 0x300001 && receiver(0x400077, 0) == 0x400001)
    // LibreOffice asks from another connection of the same process.
    #expect(receiver(0x500077, 101, 20) == 0x400001)
    // A stranger that has guessed the time gets nothing.
    #expect(receiver(0x500077, 101, 30) == nil && receiver(0x500077, 101) == nil)
  }

  @Test("Z2: of two drops on one program the time decides, and without one the newest drop")
  func Z2_twoDropsOnOneProgram() {
    let drops = [Drop(receiver: 0x300001, process: 10, time: 100), Drop(receiver: 0x300002, process: 10, time: 101)]
    for requestor: UInt32 in [0x300077, 0x500077] {
      func time(_ time: UInt32) -> UInt32? { Drop.match(requestor, time, among: drops) { 10 }?.time }
      #expect(time(100) == 100 && time(101) == 101 && time(0) == 101 && time(99) == 101)
    }
  }

  private struct Drop: ServedDrop {
    var receiver: UInt32
    var process: Int32?
    var time: UInt32

    static func match(
      _ requestor: UInt32, _ time: UInt32, among drops: [Drop], process: () -> Int32?
    ) -> Drop? {
      ConversionMatch.drop(
        for: requestor, time: time, among: drops, connection: { $0 & ~0xFFFFF }, process: process)
    }
  }

  @Test("who makes a request is asked only where it may be a drop's program") func asksForAReason() {
    var asked = 0
    func isServed(_ requestor: UInt32, among drops: [Drop]) -> Bool {
      let drop = Drop.match(requestor, 0, among: drops) {
        asked += 1
        return 10
      }
      return drop != nil
    }
    let known = Drop(receiver: 0x300001, process: 10, time: 100)
    let unknown = Drop(receiver: 0x300001, process: nil, time: 100)
    // Nothing is dragged; the connection tells it; the X server does not know the process of the drop's program.
    let (byNobody, byConnection) = (isServed(0x500077, among: []), isServed(0x300077, among: [known]))
    let byUnknown = isServed(0x500077, among: [unknown])
    #expect(!byNobody && byConnection && !byUnknown && asked == 0)
    let byProcess = isServed(0x500077, among: [known])
    #expect(byProcess && asked == 1)
  }

  @Test("Z9: on the clipboard files have the type of file managers, and one item says what it is")
  func Z9_copied() throws {
    func description(_ offer: XdndOffer) -> [UInt8]? {
      if case .description(let bytes)? = offer.recipe(for: XdndOffer.carryItem) { bytes } else { nil }
    }
    let photo = XdndOffer.Item(name: "Lake.png", types: ["image/png", "text/plain"])
    let offer = XdndOffer([photo], isCopied: true)
    #expect(offer.types.suffix(2) == [XdndOffer.copiedFiles, XdndOffer.carryItem])
    #expect(description(offer).map { XdndOffer.Item($0) } == photo)
    #expect(offer.placeholder(for: XdndOffer.carryItem) == nil && offer.placeholder(for: XdndOffer.copiedFiles) == nil)
    let file = XdndOffer.Item(name: "Lake.png", types: ["image/png"], isFile: true)
    for items in [[file], [photo, photo]] {
      #expect(XdndOffer(items, isCopied: true).types.last == XdndOffer.copiedFiles)
    }
    #expect(!XdndOffer([photo]).types.contains(XdndOffer.carryItem))
    // What nobody would take for a file needs no description.
    #expect(!XdndOffer([.init(name: "", types: ["text/plain"])], isCopied: true).types.contains(XdndOffer.carryItem))
    // Bytes would be those of an archive.
    for types in [["inode/directory"], ["a/b", "inode/directory"]] {
      #expect(XdndOffer([.init(name: "album", types: types)], isCopied: true).types.last == XdndOffer.copiedFiles)
    }
    let text = XdndOffer([.init(name: "a", types: ["image/png", "text/plain;charset=UTF-8"])], isCopied: true)
    #expect(description(text).map { XdndOffer.Item($0).types } == ["image/png", "text/plain;charset=utf-8"])
    // A name with a line break would be a type.
    let odd = XdndOffer([.init(name: "a\nb/c", types: ["d/e"])], isCopied: true)
    #expect(description(odd).map { XdndOffer.Item($0) } == .init(name: "", types: ["d/e"]))
    // Any program may say anything.
    #expect(XdndOffer.Item([]) == .init(name: "", types: []))
    #expect(XdndOffer.Item([UInt8](repeating: 10, count: 1 << 20)).types.count <= 64)
  }
}
