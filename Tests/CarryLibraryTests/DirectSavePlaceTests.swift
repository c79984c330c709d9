import Testing

@testable import Carry

@Suite struct DirectSavePlaceTests {
  private func place(_ address: String, host: String = "lake", as name: String = "a.png") -> String? {
    DirectSavePlace(Array(address.utf8), on: host, offeredAs: name).map { "\($0.folder) \($0.name)" }
  }

  @Test("Z1: where a file is to be saved is read with no host, with localhost, and with the name of this machine")
  func Z1_hosts() {
    for host in ["", "localhost", "lake", "LAKE"] {
      #expect(place("file://\(host)/home/a%20b/a.png") == "/home/a b a.png")
    }
    #expect(place("file://sea/home/a.png") == nil && place("file:///a.png") == "/ a.png")
    #expect(place("file:///home/a.png", host: "") == "/home a.png")
    let address = DirectSavePlace.address(ofPath: "/home/a b/ü.png", on: "lake")
    #expect(address == "file://lake/home/a%20b/%C3%BC.png" && place(address) == "/home/a b ü.png")
  }

  @Test("no place is a name alone, another machine's, hidden, or a file of another ending")
  func noPlaces() {
    for address in [
      "", "a.png", "/home/a.png", "file:a.png", "http://lake/a.png", "file:///home/", "file:///home/..",
      "file:///home/.a.png", "file:///home/.config/a.png", "file:///.a/b/a.png",
      "file:///home/-a.png", "file:///home/a.desktop", "file:///home/a", "file:///home/%00/a.png",
      "file:///home/a%0A.png",
      "file:///home/%FF.png", "file:///home/%", "file:///home/a.png ",
    ] { #expect(place(address) == nil, "\(address)") }
    #expect(DirectSavePlace([0xFF], on: "", offeredAs: "a") == nil)
    #expect(place("file:///home/a", as: "b") == "/home a" && place("file:///home/a.sh", as: "b") == nil)
  }
}
