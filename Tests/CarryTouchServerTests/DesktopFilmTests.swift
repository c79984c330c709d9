import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// The second film, `make film-desktop`: what it shows is checked while it is taken.
@Suite(.serialized) struct DesktopFilmTests {
  /// Where the film goes; without it there is none.
  private static let folder = environment("CARRY_FILM_DESKTOP")

  /// How many pixels of a part of the screen differ from a colour.
  private func count(_ s: Screenshot, _ xs: Range<Int>, _ ys: Range<Int>, not color: Screenshot.Color) -> Int {
    ys.reduce(0) { n, y in n + xs.count { s[$0, y].distance(to: color) > 30 } }
  }

  private let white = Screenshot.Color(255, 255, 255)

  @Test(
    "Z1, Z15, Z23: the film of the desktop: a file manager, a browser, the shelf",
    .enabled(if: folder != nil, "make film-desktop plays it"))
  func Z1_Z15_Z23_theFilmOfTheDesktop() throws {
    let film = try DesktopFilm(filmIn: try #require(Self.folder))
    Camera.rest(1.5)
    try becomesAFile(film)
    try goesIntoThePage(film)
    try goOnTheShelf(film)
    try goIntoTheLetter(film)
    Camera.rest(1.5)
    film.moment(6)
    try film.camera.finish(film.fingers.script, from: film.fingers.start, lead: 0.5)
  }

  /// A photo becomes a file in the file manager's folder.
  private func becomesAFile(_ film: DesktopFilm) throws {
    let (s, f) = (film.scene, film.fingers)
    let finger = try film.lift(180, 390)
    f.glide(finger, to: 553, 690, over: 1.2)
    #expect(s.step("entered") != nil, "the file manager was not entered")
    Camera.rest(0.5)
    film.moment(1)
    Camera.rest(0.4)
    f.up(finger)
    let file = film.pictures + "/The lake.png"
    #expect(Wait.until(seconds: 20) { Files.exists(file) }, "there is no file")
    #expect(s.step("ended")?.contains("\"operation\": \"copy\"") == true)
    // Its picture, where the fourth file is.
    #expect(Wait.until { film.client.screenshot().map { count($0, 660..<715, 505..<545, not: white) > 1000 } ?? false })
    Camera.rest(1)
  }

  /// Another one is dropped on a page.
  private func goesIntoThePage(_ film: DesktopFilm) throws {
    let (s, f) = (film.scene, film.fingers)
    let finger = try film.lift(170, 150)
    f.glide(finger, to: 510, 248, over: 1.1)
    #expect(s.step("entered") != nil, "the page was not entered")
    // Its place is lit.
    film.moment(2) { $0[381, 150].distance(to: .init(0xE6, 0xEF, 0xFA)) < 10 }
    Camera.rest(0.5)
    f.up(finger)
    let isShown = Wait.until(seconds: 20) { film.client.window { $0.hasPrefix("Morning mist") } != nil }
    #expect(isShown, "the page shows no picture")
    #expect(s.step("ended")?.contains("\"operation\": \"copy\"") == true)
    Camera.rest(1.2)
  }

  /// A file is lifted out of the file manager by one hand, a photo by the other; both are left on the shelf.
  private func goOnTheShelf(_ film: DesktopFilm) throws {
    let (s, f) = (film.scene, film.fingers)
    let file = try film.lift(589, 525)
    f.glide(file, to: 1060, 386, over: 1.2)
    let photo = try film.lift(170, 640)
    f.glide(photo, to: 780, 386, over: 0.9)
    film.moment(3)
    Camera.rest(0.5)
    let empty = try film.shelf(with: 0)
    f.glide(
      [(file, empty.center.x, empty.center.y + 10), (photo, empty.center.x - 220, empty.center.y + 10)], over: 0.9)
    #expect(s.step("entered") != nil, "the shelf was not entered")
    Camera.rest(0.3)
    f.up(file)
    let one = try film.shelf(with: 1)
    Camera.rest(0.4)
    f.glide(photo, to: one.center.x, one.center.y + 20, over: 0.6)
    Camera.rest(0.3)
    f.up(photo)
    _ = try film.shelf(with: 2)
    Camera.rest(0.8)
    film.moment(4)
  }

  /// Both leave the shelf by its handle, into a letter.
  private func goIntoTheLetter(_ film: DesktopFilm) throws {
    let (s, f) = (film.scene, film.fingers)
    #expect(Wait.until(seconds: 20) { film.shelf?.width == 30 }, "the shelf is no tab")
    let tab = try #require(film.shelf).center
    Camera.rest(0.7)
    f.tap(tab.x, tab.y)
    let open = try film.shelf(with: 2)
    Camera.rest(0.7)
    let finger = try film.lift(open.x + 58, open.y + 22)
    f.glide(finger, to: 960, 590, over: 1.1)
    #expect(s.step("entered") != nil, "the letter was not entered")
    Camera.rest(0.5)
    film.moment(5)
    Camera.rest(0.4)
    f.up(finger)
    let line = film.notes.readLine(seconds: 20) { $0.contains("\"event\": \"pictures-dropped\"") }
    #expect(
      line?.contains("The boats leave at ten.") == true && line?.contains("Dunes.png") == true, "\(line ?? "nothing")")
    #expect(Wait.until(seconds: 20) { film.shelf == nil }, "the shelf is still there")
  }
}
