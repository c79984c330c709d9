import CarryModel
import Testing

@testable import CarryTransfers

/// The name that a representation is saved by is the item's, with the ending of what is in it.
@Suite struct SuggestedFileNameTests {
  @Test("M4, I17: a representation of another type has that type's ending") func M4_I17_anotherType() {
    let names: [(String, String, String)] = [
      ("notes.md", "application/json", "notes.json"),
      ("photo.jpg", "image/png", "photo.png"),
      ("photo.jpg", "image/jpeg", "photo.jpg"),
      ("PHOTO.JPEG", "image/jpeg", "PHOTO.JPEG"),
      ("letter.odt", "application/pdf", "letter.pdf"),
      ("letter.odt", "text/plain;charset=utf-8", "letter.txt"),
      ("v1.2 of it.md", "text/html", "v1.2 of it.html"),
      ("Ada Lovelace", "text/vcard", "Ada Lovelace.vcf"),
      ("Ada L.", "image/png", "Ada L."),
    ]
    for (name, type, expected) in names {
      #expect(SuggestedFileName.of(name, for: type) == expected, "\(name) \(type)")
    }
  }

  @Test("M4, I17: what may well be of its type keeps its name") func M4_I17_keeps() {
    for (name, type) in [
      ("README", "text/plain"), ("notes.md", "text/plain;charset=utf-8"), ("drawing.svg", "text/plain"),
      ("drawing.svg", "application/xml"), ("letter.odt", "application/zip"), ("game.jar", "application/zip"),
      ("places.geojson", "application/json"), ("main.swift", "text/plain"), ("main.swift", "text/x-swift"),
      ("photo.jpg", "application/octet-stream"), ("letter.pages", "image/png"), (".hidden", "text/plain"),
      ("album.txt", "inode/directory"),
    ] { #expect(SuggestedFileName.of(name, for: type) == name, "\(name) \(type)") }
  }

  @Test("M4, I17: without a name there is one by the type") func M4_I17_unnamed() {
    let names = [
      "text/plain;charset=utf-8": "text.txt", "image/png": "image.png", "image/webp": "image.webp",
      "text/csv": "text.csv",
      "text/vcard": "contact.vcf", "application/json": "data.json", "inode/directory": "folder",
      "application/x-unknown": "data.bin", "text/x-unknown": "text.txt",
    ]
    for (type, name) in names { #expect(SuggestedFileName.of(nil, for: type) == name, "\(type)") }
  }

  @Test("M4, I17: the longest name is still one with its ending") func M4_I17_theLongest() {
    let name = String(repeating: "ü", count: 125) + ".jpeg"
    let longer = SuggestedFileName.of(name, for: "image/webp")
    #expect(name.utf8.count == Limits.nameBytes && longer.hasSuffix("ü.webp") && longer.utf8.count <= Limits.nameBytes)
    // An accent is no letter of its own, and the letter stays.
    let accents = SuggestedFileName.of("a" + String(repeating: "\u{301}", count: 127), for: "image/png")
    #expect(accents.unicodeScalars.first == "a" && accents.hasSuffix(".png") && accents.utf8.count <= Limits.nameBytes)
    let whole = SuggestedFileName.of(String(repeating: "a", count: Limits.nameBytes), for: "image/png")
    #expect(whole.hasSuffix("a.png") && whole.utf8.count == Limits.nameBytes)
  }
}
