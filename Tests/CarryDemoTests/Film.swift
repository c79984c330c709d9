import CLinux
import CX11
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// The desk on which the film is played, the fingers that play it, and, when it is wanted, the camera.
final class Film {
  static let letter = """
    A letter from Anna
    At six the mist still lay on the water, and the far shore was only a line. Then the sun came through, and for a \
    moment everything was gold.
    https://www.example.org/lake/boats
    Come before they are put away for the winter!
    Anna
    """
  /// The first sentence of the letter's second paragraph, which is selected.
  static let words = String(letter.split(separator: "\n")[1].prefix { $0 != "." }) + "."
  static let draft = "Dear Jonas,\n"

  let desk: Desktop
  private let compositor: Compositor
  let reader, board, dock: ChildProcess
  /// The photos, in the order in which they are gathered.
  let photos: [String]
  let camera: Camera?
  private let script: FingerScript
  private var recordingStart: Double?

  init() throws {
    let d = try Desktop(compositor: nil)
    // The next one plays what follows from how fast all this is.
    d.engine.stop()
    compositor = try Compositor(
      .picom, on: d.server,
      [
        "--shadow", "--shadow-radius", "16", "--shadow-opacity", "0.45", "--shadow-offset-x", "-16",
        "--shadow-offset-y", "-10", "--shadow-exclude", "override_redirect = 1", "--shadow-exclude",
        "window_type = 'dock'",
      ])
    let background = try ChildProcess(
      ["hsetroot", "-add", "#46627f", "-add", "#7f8ea3", "-add", "#d9b79a", "-gradient", "165"],
      environment: ["DISPLAY": d.server.display])
    desk = d
    background.waitForExit(seconds: 20)
    camera = try environment("CARRY_FILM").map { try Camera($0, display: d.server.display) }
    try d.start("carry-pinboard", "--export", d.folder).waitForExit(seconds: 20)
    photos = ["Morning mist", "The lake", "Dunes", "Poppies"].map { d.folder + "/" + $0 + ".png" }
    try Files.write(Self.letter, to: d.folder + "/Anna.txt")
    try Files.write(Self.draft, to: d.folder + "/Draft.txt")
    let entry = """
      [Desktop Entry]
      Type=Application
      Name=Letter
      Exec=carry-notes --json --letter --geometry 540x632+40+36 "\(d.folder)/Draft.txt"
      StartupWMClass=carry-letter
      """
    try Files.write(entry, to: d.folder + "/Letter.desktop")

    let before = Camera.now()
    reader = try d.start(
      "carry-notes", "--json", "--letter", "--class", "carry-reader", "--geometry", "540x312+40+36",
      d.folder + "/Anna.txt")
    try #require(reader.said("ready") != nil)
    try Self.select(Self.words, on: d)
    // What is started on the way gets several times as long as this took.
    let patience = max(camera == nil ? 900 : 1200, min(6000, 5 * Int((Camera.now() - before) * 1000)))
    board = try ChildProcess(
      [Checkout.program("carry-pinboard"), "--json", "--geometry", "530x632+724+36"] + photos,
      environment: ["DISPLAY": d.server.display, "CARRY_SOCKET": d.socket, "LC_ALL": "C.UTF-8"], output: .pipe)
    try #require(board.said("ready") != nil)
    dock = try d.start(
      "carry-dock", "--json", "Pinboard=carry-pinboard", "Notes=carry-notes --json --geometry 540x300+40+368",
      d.folder + "/Letter.desktop")
    try #require(dock.said("ready") != nil)
    var script = Self.script(patience, rest: camera == nil ? 2000 : 500)
    // The engine ends with its recording: not before the letter was looked at.
    script.tap(1275, 5, at: script.duration + (camera == nil ? 2000 : 4500))
    self.script = script
    // A recording begins with its first event: fingers come two seconds later.
    script.tap(1275, 5, at: 0)
    // All find it within a second, and wait for one another: the recording begins when the last has its regions.
    try d.startEngine(script, clients: 3)
  }

  /// Selects the words in Anna's letter, from its end upwards.
  private static func select(_ words: String, on desk: Desktop) throws {
    let window = try #require(desk.window(titled: "Letter"))
    for _ in 0..<5 { desk.press(XK_Up, in: window) }
    desk.press(XK_Home, in: window)
    for _ in words { desk.press(XK_Right, in: window, shift: true) }
  }

  /// Where the words and the photos rest while other fingers are busy.
  static let wordsRest = (x: 640, y: 470)
  static let photosRest = (x: 985, y: 345)
  static let handOver = (x: 655, y: 335)

  /// - Parameter patience: how long a program that is started on the way gets, in milliseconds.
  /// - Parameter rest: how much longer the moments stay, for people and for busy machines.
  private static func script(_ patience: Int, rest: Int) -> FingerScript {
    var s = FingerScript(width: 1280, height: 800)
    var t = 2000
    // One: the letter's link goes to the dock, where Notes opens, and onto its +.
    let link = s.down(150, 226, at: t)
    s.move(link, to: 640, 520, from: t + 650, until: t + 1300)
    // At its lower rim: what is carried does not hide it.
    t += rest
    s.move(link, to: 640, 757, from: t + 2000, until: t + 2450)
    t += 3300 + patience
    s.move(link, to: 260, 393, from: t, until: t + 700)
    s.up(link, at: t + 950)
    t += 2200 + rest
    // Two: the selected words are lifted, and left again.
    s.carry(from: (310, 174), at: t, .to(640, 330, (t + 650)...(t + 1150)), upAt: t + 1500)
    t += 2200
    // Taken once more, and kept. The other hand takes a photo, and three more with taps.
    let words = s.down(310, 174, at: t)
    s.move(words, to: wordsRest.x, wordsRest.y, from: t + 650, until: t + 1250)
    t += 1500
    let photo = s.down(861, 185, at: t)
    s.move(photo, to: photosRest.x, photosRest.y, from: t + 650, until: t + 1000)
    for (i, p) in [(1130, 180), (861, 510), (1130, 505)].enumerated() { s.tap(p.0, p.1, at: t + 1400 + i * 450) }
    t += 3500 + rest
    // It hands them to the first hand: a second finger of that comes down on them, and this one goes.
    s.move(photo, to: handOver.x + 30, handOver.y - 15, from: t, until: t + 600)
    let other = s.down(handOver.x, handOver.y, at: t + 900)
    s.up(photo, at: t + 1350)
    t += 2300 + rest
    // And takes them back.
    let back = s.down(handOver.x + 12, handOver.y + 8, at: t)
    s.up(other, at: t + 450)
    t += 1200
    // Both to the dock, where a new letter opens, and into that: the words, and below them the photos.
    s.move(words, to: 718, 731, from: t, until: t + 700)
    s.move(back, to: 692, 600, from: t + 30, until: t + 700)
    t += 1700 + patience
    s.move(words, to: 330, 330, from: t, until: t + 800)
    s.move(back, to: 480, 470, from: t + 40, until: t + 800)
    s.up(words, at: t + 1100)
    s.up(back, at: t + 1900)
    return s
  }

  /// The first finger lifted something, 0.15 s after it came down: so the recording and the film have one clock.
  func lifted(_ line: String) {
    guard let start = line.range(of: "\"t\": ") else { return }
    let time = line[start.upperBound...].prefix { "0123456789.".contains($0) }
    recordingStart = Double(String(time)).map { $0 - 2.15 }
  }

  /// Ends what the camera films, if one does.
  func finish() throws {
    guard let camera else { return }
    try camera.finish(script, from: try #require(recordingStart), lead: 1)
  }

  /// Something that a viewer is to see is there: it stays for a while.
  ///
  /// The screen is compared with one that a person found good, coarsely: fonts and the flashing of icons do not count.
  /// `CARRY_GOLDEN=write` makes what is shown the one to compare with.
  ///
  /// - Parameter condition: what counts, exactly.
  func moment(_ number: Int, _ condition: (Screenshot) -> Bool) throws {
    let golden = Checkout.root + "/Tests/CarryDemoTests/Golden/film-\(number).png"
    let isWriting = environment("CARRY_GOLDEN") != nil
    let wanted = Screenshot(png: golden)
    try #require(isWriting || wanted != nil, "\(golden) is missing: CARRY_GOLDEN=write makes it")
    var last: Screenshot?
    var difference = 1.0
    // A picture to compare with is of things at rest, but for an icon that flashes.
    var restful = 0
    let isSeen = Wait.until(seconds: 10) {
      guard let shot = desk.client.screenshot() else { return false }
      let isAtRest = last.map { shot.reduced(by: 8).share(differingFrom: $0.reduced(by: 8), byMoreThan: 20) < 0.006 }
      restful = isAtRest == true ? restful + 1 : 0
      last = shot
      guard condition(shot) else { return false }
      difference = wanted.map { shot.reduced(by: 8).share(differingFrom: $0, byMoreThan: 40) } ?? 1
      return isWriting ? restful >= 5 : difference < 0.01
    }
    camera?.moment(number)
    desk.shoot("film-\(number)")
    if isWriting { last?.reduced(by: 8).write(to: golden) }
    if !isSeen { last?.write(to: "/tmp/carry-film-\(number).png") }
    #expect(
      isSeen, "moment \(number): \(difference * 100) % of the picture differ; it is in /tmp/carry-film-\(number).png")
  }
}
