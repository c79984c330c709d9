import CarryModel
import Testing

@testable import Carry

/// The values that need no code of an application's own.
@Suite struct ReadyTypeTests {
  @Test("I2, I8: text is written as UTF-8, and as plain text for those who know no better")
  func I2_text() throws {
    let text = "Grüße, 東京 👋"
    #expect(ItemProvider(object: text).registeredTypes == ItemProvider(text: text).registeredTypes)
    for type in String.writableTypesForItemProvider {
      #expect(try String(itemProviderData: text.loadRepresentation(forType: type), type: type) == text)
    }
  }

  @Test("I15: a value hides its private type, and a provider its values") func I15_visibility() {
    struct Drawing: ItemProviderWriting {
      static let writableTypesForItemProvider = ["application/vnd.example.drawing", "image/svg+xml"]
      static func itemProviderVisibility(forType type: String) -> ItemProvider.Visibility {
        type.hasPrefix("image/") ? .all : .ownProcess
      }
      func loadRepresentation(forType type: String) -> [UInt8] { [1] }
    }
    func seen(_ provider: ItemProvider) -> [CarryModel.Visibility] { provider.promises.map(\.visibility) }
    #expect(seen(ItemProvider(object: Drawing())) == [.ownProcess, .all])
    // What is narrower counts.
    #expect(seen(ItemProvider(object: Drawing(), visibility: .team)) == [.ownProcess, .team])
    let later = ItemProvider()
    later.registerObject(of: Drawing.self, visibility: .ownProcess) { $0(.success(Drawing())) }
    #expect(seen(later) == [.ownProcess, .ownProcess])
    #expect(seen(ItemProvider(data: [1], type: "image/png", visibility: .team)) == [.team])
    #expect(seen(ItemProvider(contentsOf: "/etc/hostname", type: "text/plain", visibility: .team)) == [.team])
  }

  @Test("I18: a picture tells its size, and other values have none") func I18_pictures() throws {
    let picture = try #require(
      ItemImage(width: 60, height: 12, premultipliedARGB: [UInt32](repeating: 0xFF00_8000, count: 720)))
    let size = try #require(ItemProvider(object: picture).preferredPresentationSize)
    #expect(size == (60, 12))
    #expect(ItemProvider(object: "60 by 12").preferredPresentationSize == nil)
  }

  @Test("I10: text is read in the encoding that its type names, or that it begins with") func I10_text() throws {
    func read(_ bytes: [UInt8], _ type: String) throws -> String {
      try String(itemProviderData: bytes, type: "text/plain" + type)
    }
    #expect(try read([0xC3, 0xA9], "") == "é")
    #expect(try read([0xE9], "") == "é")
    #expect(try read([0xE9], ";charset=iso-8859-1") == "é")
    #expect(try read([0xEF, 0xBB, 0xBF, 0x61], ";charset=utf-8") == "a")
    #expect(try read([0xFF, 0xFE, 0x61, 0], "") == "a")
    #expect(try read([0, 0x61], ";charset=utf-16") == "a")
    #expect(try read([], ";charset=utf-16") == "" && read([], "") == "")
    // Never a trap, and never half of it.
    #expect(throws: ItemDataError.self) { try read([0xE9], ";charset=utf-8") }
    #expect(throws: ItemDataError.self) { try read([0x61], ";charset=utf-16") }
    #expect(throws: ItemDataError.self) { try read([0xD8, 0x00], ";charset=utf-16") }
    let provider = ItemProvider(data: [0xE9], type: "text/plain;charset=iso-8859-1")
    #expect(provider.match(String.readableTypesForItemProvider)?.readable == "text/plain;charset=iso-8859-1")
  }

  @Test("I2, I9, I10: bytes of any type are written and read as they are") func I2_bytes() {
    let data = TypedData([1, 2], type: "application/vnd.example.drawing")
    #expect(ItemProvider(object: data).registeredTypes == ["application/vnd.example.drawing"])
    #expect(data.loadRepresentation(forType: data.type) == [1, 2])
    #expect(ItemProvider(object: data).match(TypedData.readableTypesForItemProvider)?.readable == data.type)
  }

  @Test("I2, I9, I10: a colour is four numbers of 16 bits") func I2_colour() throws {
    let color = ItemColor(red: 0x1234, green: 0, blue: 65_535, alpha: 0x8000)
    let bytes = color.loadRepresentation(forType: "application/x-color")
    #expect(bytes.count == 8 && UInt16(bytes[0]) + UInt16(bytes[1]) == 0x12 + 0x34)
    #expect(try ItemColor(itemProviderData: bytes, type: "application/x-color") == color)
    for count in [0, 7, 9] {
      #expect(throws: ItemDataError.self) {
        try ItemColor(itemProviderData: [UInt8](repeating: 0, count: count), type: "application/x-color")
      }
    }
  }

  @Test("I2, I9, I10: addresses travel in lists and as text") func I2_addresses() throws {
    let link = try #require(WebLink("https://example.org/lake?a=1#é"))
    for type in WebLink.writableTypesForItemProvider {
      #expect(try WebLink(itemProviderData: link.loadRepresentation(forType: type), type: type) == link)
    }
    #expect(link.loadRepresentation(forType: "text/uri-list").suffix(2) == [13, 10])
    for text in ["", "lake", "https://a b", "1http://a", "https:", "https://a\n", "a:<b>", "https://a\u{0}"] {
      #expect(WebLink(text) == nil, "\(text)")
    }
    #expect(WebLink("a:" + String(repeating: "b", count: 65_534)) != nil)
    #expect(WebLink("a:" + String(repeating: "b", count: 65_535)) == nil)
    func read(_ text: String, _ type: String) throws -> String {
      try WebLink(itemProviderData: Array(text.utf8), type: type).address
    }
    #expect(try read("# a list\r\nnothing\r\nhttps://a\r\nhttps://b\r\n", "text/uri-list") == "https://a")
    #expect(try read(" \n mailto:a@b \n", "text/plain") == "mailto:a@b")
    for text in ["see https://a", "note:later", "", "\n", "https://a https://b"] {
      #expect(throws: ItemDataError.self, "\(text)") { try read(text, "text/plain") }
    }
    #expect(throws: ItemDataError.self) { try WebLink(itemProviderData: [0xFF, 0x3A, 0xFF], type: "text/uri-list") }
  }

  @Test("I2, I9, I10: a file's place is escaped, and only this machine's is taken") func I2_files() throws {
    let link = try #require(FileLink(path: "/home/ada/Lake #1 50%é.png"))
    #expect(link.address == "file:///home/ada/Lake%20%231%2050%25%C3%A9.png")
    let bytes = link.loadRepresentation(forType: "text/uri-list")
    #expect(try FileLink(itemProviderData: bytes, type: "text/uri-list") == link)
    #expect(FileLink(address: "FILE:/a%2fb")?.path == "/a/b")
    for host in ["LocalHost", "127.0.0.1", FileLink.ownHost, "Lake", "lake.example"] {
      let own = host.contains("ake") ? "lake.example" : FileLink.ownHost
      #expect(FileLink(address: "file://\(host)/a", host: own)?.path == "/a")
    }
    // An address of a file has neither a query nor a fragment, and not every program escapes.
    for name in ["a#b.txt", "a?b", "100%.txt", "100%", "%a", "50%zz", "a b {c}", "ü", "a;b&c=d"] {
      #expect(FileLink(address: "file:///d/\(name)")?.path == "/d/\(name)")
    }
    for address in ["file://other/a", "https://a/b", "file:a", "file:///%ff", "file:///a%00"] {
      #expect(FileLink(address: address) == nil, "\(address)")
    }
    #expect(FileLink(path: "a") == nil && FileLink(path: "/a\0b") == nil)
    let list = Array("https://a\r\nfile://other/b\r\nfile:///c\r\n".utf8)
    #expect(try FileLink(itemProviderData: list, type: "text/uri-list").path == "/c")
    // A mark, blanks round a line, and a NUL at the end.
    let odd = Array("\u{FEFF}# files\r\n \tfile:///a b \r\n\0file:///c".utf8)
    #expect(try FileLink(itemProviderData: odd, type: "text/uri-list").path == "/a b")
    #expect(throws: ItemDataError.self) { try FileLink(itemProviderData: [], type: "text/uri-list") }
  }

  @Test("I2, I9, I10: formatted text travels as HTML and as plain text") func I2_formattedText() throws {
    let text = FormattedText(html: "<p>Gr\u{FC}\u{DF}e <b>&amp; mehr</b></p>")
    #expect(text.plainText == "Gr\u{FC}\u{DF}e & mehr")
    #expect(ItemProvider(object: text).registeredTypes == ["text/html", "text/plain;charset=utf-8", "text/plain"])
    #expect(
      try FormattedText(itemProviderData: text.loadRepresentation(forType: "text/html"), type: "text/html") == text)
    let plain = try FormattedText(
      itemProviderData: text.loadRepresentation(forType: "text/plain"), type: "text/plain;charset=utf-8")
    #expect(plain.plainText == text.plainText && plain.html == "Gr\u{FC}\u{DF}e &amp; mehr")
    #expect(FormattedText(html: "<b>x</b>", plainText: "y").plainText == "y")
    // A browser's HTML comes with a charset, or as UTF-16, and is preferred to plain text.
    let provider = ItemProvider(data: [], type: "text/plain;charset=utf-8")
    provider.registerDataRepresentation(forType: "text/html;charset=utf-8") { $0(.success([])) }
    #expect(provider.match(FormattedText.readableTypesForItemProvider)?.readable == "text/html")
    let wide: [UInt8] = [0xFF, 0xFE, 0x3C, 0, 0x69, 0, 0x3E, 0, 0x61, 0]
    #expect(try FormattedText(itemProviderData: wide, type: "text/html").plainText == "a")
    #expect(throws: ItemDataError.self) {
      try FormattedText(itemProviderData: [0xFF], type: "text/plain;charset=utf-8")
    }
  }

  @Test(
    "I2: the words of HTML are what a person reads",
    arguments: [
      ("one<br>two<br/>three", "one\ntwo\nthree"), ("<div>a</div><div>b</div>", "a\nb"), ("a \n\t b", "a b"),
      ("<ul><li>a</li><li>b</li></ul>", "a\nb"), ("<tr><td>a</td><td>b</td></tr>", "a b"),
      ("a<script>if (1 < 2) b()</script>c<style>p {}</STYLE >d", "acd"), ("<title>t</title>a", "a"),
      ("a<!-- b > c -->d<!-- e", "ad"), ("<a title='>'>x</a>", "x"), ("1 < 2 && 3 > 2", "1 < 2 && 3 > 2"),
      ("&lt;b&gt;&#x41;&#66;&nbsp;&bogus;&#0;&#27;", "<b>AB &bogus;&#0;&#27;"), ("<pre>a\n  b</pre>", "a\n  b"),
      ("a<", "a<"), ("a</", "a</"), ("a<b", "a"), ("&", "&"), ("", ""), ("<p>\n</p>", ""),
    ]) func I2_wordsOfHTML(html: String, words: String)
  { #expect(FormattedText(html: html).plainText == words) }

  @Test("I2: HTML of nothing but beginnings, however long, is worked off") func I2_hostileHTML() {
    for part in ["<", "<!--", "<script>", "<a '", "&#", "<pre>", "<br>", "</", "<p>", "&amp"] {
      let text = FormattedText(html: String(repeating: part, count: 200_000))
      #expect(text.plainText.utf8.count <= 200_000 * part.utf8.count)
    }
  }
}
