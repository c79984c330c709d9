import CLinux
import CarryCommand
import CarrySystem
import CarryTesting
import CarryX
import Testing

/// What `carry drag` shows of files.
@Suite struct ThumbnailTests {
  /// A PNG file without pixels, whose texts are these.
  private static func png(_ texts: [(String, String)]) -> [UInt8] {
    func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
      let length = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (24 - 8 * $0)) }
      return length + Array(type.utf8) + data + [0, 0, 0, 0]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + texts.flatMap { chunk("tEXt", Array($0.0.utf8) + [0] + Array($0.1.utf8)) } + chunk("IDAT", [1, 2, 3])
      + chunk("tEXt", Array("Late\0text".utf8))
  }

  @Test("Z24: digests are those of RFC 1321")
  func Z24_digests() {
    for (message, digest) in [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
      // The padding fills a block, or needs one more.
      (String(repeating: "a", count: 55), "ef1772b6dff9a122358552954ad0df65"),
      (String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218"),
      (String(repeating: "a", count: 64), "014842d480b571495a4a0363793f7367"),
    ] { #expect(MD5.text(message) == digest, "\(message.count)") }
  }

  @Test("Z24: a file's thumbnail is found under its address, whichever way that is escaped, the large one first")
  func Z24_whereThumbnailsAre() throws {
    let place = try TestFolder("thumbnails")
    let cache = place.path
    let path = "/home/ada/Lake (1) ä.jpg"
    // As GLib writes it, and with all escaped that may be.
    let mild = "file:///home/ada/Lake%20(1)%20%C3%A4.jpg"
    let strict = "file:///home/ada/Lake%20%281%29%20%C3%A4.jpg"
    #expect(ThumbnailCache.addresses(of: path) == [mild, strict])
    #expect(ThumbnailCache.addresses(of: "/a/b-c.d") == ["file:///a/b-c.d"])
    #expect(
      ThumbnailCache.candidates(for: path, in: cache).isEmpty && ThumbnailCache.candidates(for: path, in: nil).isEmpty)
    let normal = "\(cache)/thumbnails/normal/\(MD5.text(mild)).png"
    let large = "\(cache)/thumbnails/large/\(MD5.text(strict)).png"
    for folder in [cache, cache + "/thumbnails", cache + "/thumbnails/normal", cache + "/thumbnails/large"] {
      mkdir(folder, 0o700)
    }
    for file in [normal, large] { _ = try Descriptor.open(file, O_WRONLY | O_CREAT, mode: 0o600) }
    #expect(ThumbnailCache.candidates(for: path, in: cache) == [large, normal])
  }

  @Test("Z24: a thumbnail counts for the file and the time that it names, and for nothing else")
  func Z24_currentThumbnails() {
    let (path, address) = ("/home/ada/Lake.jpg", "file:///home/ada/Lake.jpg")
    func isCurrent(_ png: [UInt8]) -> Bool { ThumbnailCache.isCurrent(png, for: path, modified: 1_700_000_000) }
    let good = Self.png([("Software", "x"), ("Thumb::URI", address), ("Thumb::MTime", "1700000000")])
    #expect(isCurrent(good))
    #expect(!isCurrent(Self.png([("Thumb::URI", address), ("Thumb::MTime", "1700000001")])))
    #expect(!isCurrent(Self.png([("Thumb::URI", "file:///etc/passwd"), ("Thumb::MTime", "1700000000")])))
    #expect(!isCurrent(Self.png([("Thumb::URI", address)])) && !isCurrent(Self.png([])) && !isCurrent([]))
    // Cut anywhere, and with lengths that are not true.
    for end in good.indices { _ = isCurrent(Array(good[..<end])) }
    for i in good.indices {
      var broken = good
      broken[i] = 0xFF
      _ = isCurrent(broken)
    }
  }

  @Test("Z24: what has no picture shows an icon by its type")
  func Z24_icons() {
    for (type, icon) in [
      ("inode/directory", TypeIcon.folder), ("text/plain;charset=utf-8", .text), ("text/uri-list", .list),
      ("image/png", .picture), ("audio/mpeg", .sound), ("video/mp4", .film), ("application/zip", .archive),
      ("application/pdf", .text), ("application/octet-stream", .other), ("nonsense", .other), ("", .other),
    ] { #expect(TypeIcon(type: type) == icon, "\(type)") }
  }

  @Test("Z24: a picture that is no picture, or would be huge, ends the process that looks at it, and nothing is shown")
  func Z24_hostilePictures() throws {
    let place = try TestFolder("pictures")
    let folder = place.path
    let carry = try Checkout.program("carry")
    // 65,535 × 65,535 pixels, so its head says.
    let head: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0xFF, 0xFF, 0, 0, 0xFF,
      0xFF, 8, 6, 0, 0, 0, 0, 0, 0, 0,
    ]
    let file = folder + "/bad.png"
    for bytes in [head, Array("no picture".utf8), []] {
      let descriptor = try Descriptor.open(file, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
      #expect(Output.write(bytes, to: descriptor.raw))
      #expect(try Self.thumbnail(carry, file) == .some(1))
    }
    // What blocks whoever opens it.
    let pipe = folder + "/pipe.png"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(try Self.thumbnail(carry, pipe) == .some(1))
    #expect(try Self.thumbnail(carry, "/nonexistent") == .some(1))
  }

  @Test("Z24: without gdk-pixbuf, PNG pictures show all the same")
  func Z24_withoutGdkPixbuf() throws {
    let place = try TestFolder("bare")
    let folder = place.path
    // A library that cannot be loaded stands before the system's.
    _ = try Descriptor.open(folder + "/libgdk_pixbuf-2.0.so.0", O_WRONLY | O_CREAT, mode: 0o600)
    let picture = Checkout.root + "/docs/images/pinboard.png"
    func look(_ path: String, _ type: String) throws -> (status: CInt?, bytes: String?) {
      let carry = try Checkout.program("carry")
      let child = try ChildProcess(
        ["bash", "-o", "pipefail", "-c", "'\(carry)' thumbnail-of '\(path)' \(type) | wc -c"],
        environment: ["LD_LIBRARY_PATH": folder], output: .pipe)
      let bytes = child.readLine(seconds: 30)
      return (child.waitForExit(seconds: 30), bytes)
    }
    #expect(try look(picture, "image/jpeg").status == 1)
    let size = try Files.readStart(picture, most: 24)[16...].map(Int.init)
    let (width, height) = (size[2] << 8 | size[3], size[6] << 8 | size[7])
    let (w, h) = width > height ? (256, 256 * height / width) : (256 * width / height, 256)
    let seen = try look(picture, "image/png")
    #expect(seen.status == 0 && seen.bytes == "\(8 + w * h * 4)")
    #expect(try look(Checkout.root + "/README.md", "image/png").status == 1)
  }

  private static func thumbnail(_ carry: String, _ path: String) throws -> CInt? {
    let child = try ChildProcess([carry, "thumbnail-of", path, "image/png"], output: .pipe)
    return child.waitForExit(seconds: 30)
  }
}
