import Carry
import DemoKit

/// The app: one picture, opened where it is, and two buttons.
final class Editor: WindowContent, DropInteractionDelegate {
  private let app: App
  private let window: Window
  private let report: Report
  private let turnsAtOnce: Bool
  private var region: Region?

  /// The file that is open, and what is seen of it.
  private var file: OpenedFile?
  private var name = ""
  /// What the file's bytes were, and will be.
  private var type = ""
  private var picture: Picture?
  private var isChanged = false
  private weak var client: Client?
  /// The file that is being read.
  private var opening: OpenedFile?
  private var isSaving = false
  /// What is to be done once the picture is saved.
  private var savesAgain = false
  private var showsThen: (file: OpenedFile, name: String, bytes: [UInt8])?
  private var closesOnceSaved = false
  /// What went wrong last, in the bar of a picture that is open.
  private var notice: String?
  private lazy var hover = Hover(window)
  private var message = "Drop a picture to open it"
  private var stroke: (source: PointerEvent.Source, last: Point)?
  private var pressed: Button?

  private enum Button: CaseIterable {
    case turn, save
    var title: String { self == .turn ? "Turn" : "Save" }
  }

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    turnsAtOnce = options.flags.contains("--turn")
    window = Window(
      app.display, title: "Picture Editor", program: "carry-picture-editor", width: 480, height: 480,
      geometry: options.geometry, icon: Picture(width: 64, height: 64) { Self.icon(on: $0) })
    window.content = self
    app.engine.onReady = { [unowned self] client in
      self.client = client
      let region = Region(client: client, window: window.number, frame: canvas.pixels(app.scale))
      region.label = "Picture Editor"
      region.addInteraction(DropInteraction(delegate: self))
      self.region = region
    }
    app.engine.onConnected = { [unowned self] in changed("connected") }
    app.engine.onLost = { [unowned self] in changed("disconnected") }
    window.show()
    report.say("ready")
  }

  private func changed(_ event: String, _ facts: (String, Report.Value)...) {
    if facts.isEmpty { report.say(event) } else { report.say(event, facts[0]) }
    window.redraw()
  }

  // MARK: Places

  private var canvas: Box { Box(0, 0, window.width, max(40, window.height - 58)) }
  private func box(_ button: Button) -> Box {
    let x = window.width - 18 - (button == .save ? 92 : 194)
    return Box(x, canvas.maxY + 12, 92, 34)
  }

  /// Where the picture is seen, as large as there is room.
  private func place(of picture: Picture) -> Box {
    let room = canvas.inset(24)
    let k = min(room.width / Double(picture.width), room.height / Double(picture.height))
    return Box(center: room.center, width: Double(picture.width) * k, height: Double(picture.height) * k)
  }

  // MARK: Looks

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    c.clear(Color(0x26282C))
    if let picture {
      let place = place(of: picture)
      c.shadow(place, radius: 3, blur: 16, drop: 4, 0.5)
      c.draw(picture, filling: place, radius: 3)
    } else {
      let zone = canvas.inset(26)
      c.stroke(zone, radius: 16, Color.white.faded(0.22), width: 2, dashes: [7, 7])
      c.draw(message, TextStyle(15, color: Color.white.faded(0.55)), centeredIn: zone)
    }
    if hover.isAbove { c.stroke(canvas.inset(3), radius: 8, Color(0x5AA2FF), width: 3) }
    c.fill(Box(0, canvas.maxY, size.width, size.height - canvas.maxY), Color(0x1C1E21))
    drawBar(on: c)
    if !app.engine.isConnected { c.drawAbsence(in: canvas) }
  }

  private func drawBar(on c: Canvas) {
    let y = canvas.maxY
    if file != nil {
      let width = max(40, box(.turn).x - 34)
      let title = TextLayout(
        (isChanged ? "• " : "") + name, TextStyle(13.5, .semibold, color: .white), width: width, isOneLine: true)
      c.draw(title, at: Point(x: 18, y: y + 11))
      let place = file?.isOriginal == true ? "The file itself, opened in place" : "A copy"
      let saving =
        closesOnceSaved
        ? "Saving… close again to leave it half written" : showsThen.map { "Saving… then \($0.name)" } ?? "Saving…"
      let color = notice == nil || isSaving ? Color.white.faded(0.55) : Color(0xFF9A86)
      c.draw(
        TextLayout(isSaving ? saving : notice ?? place, TextStyle(11, color: color), width: width, isOneLine: true),
        at: Point(x: 18, y: y + 31))
    }
    for button in Button.allCases {
      let isOn = button == .turn ? picture != nil : isChanged
      let fill = button == .save ? Color(0x2F7BD9) : Color(0x3B3E44)
      c.fill(box(button), radius: 8, isOn ? fill.mixed(with: .black, pressed == button ? 0.2 : 0) : Color(0x2A2C31))
      c.draw(
        button.title, TextStyle(13, .semibold, color: Color.white.faded(isOn ? 1 : 0.35)), centeredIn: box(button))
    }
  }

  private static func icon(on c: Canvas) {
    c.fill(Box(6, 8, 52, 48), radius: 12, from: Color(0x44484F), to: Color(0x26282C))
    c.saved {
      c.translate(34, 32)
      c.rotate(0.75)
      c.fill(Box(-5, -20, 10, 28), radius: 2, Color(0xF2B544))
      c.move(-5, 8)
      c.line(5, 8)
      c.line(0, 18)
      c.fillPath(Color(0xF6E3C0))
    }
  }

  // MARK: Changing

  private func turn() {
    guard let turned = picture?.turned() else { return }
    picture = turned
    isChanged = true
    changed("turned")
  }

  /// A line on the picture, in its own pixels.
  private func draw(to p: Point) {
    guard let from = stroke?.last, let old = picture else { return }
    let place = place(of: old)
    let k = Double(old.width) / place.width
    func pixel(_ p: Point) -> Point { Point(x: (p.x - place.x) * k, y: (p.y - place.y) * k) }
    let (a, b) = (pixel(from), pixel(p))
    old.paint { c in
      c.move(a.x, a.y)
      c.line(b.x, b.y)
      c.strokePath(Color(0xFFD84A), width: 5 * k)
    }
    stroke?.last = p
    isChanged = true
    window.redraw()
  }

  /// Writes the file while nobody else reads or writes it. The window goes on meanwhile: it is another program's file.
  private func save() {
    guard isChanged, let file, let picture else { return }
    guard !isSaving else { return savesAgain = true }
    let bytes = type == "image/png" ? picture.png() : picture.jpeg()
    guard !bytes.isEmpty, let client else { return fail("Not saved") }
    // What is drawn from here on is not in these bytes.
    (isSaving, isChanged, notice) = (true, false, nil)
    window.redraw()
    file.coordinateWriting(client: client) { fd in
      Program.replaceContents(of: fd, with: bytes)
    } then: { [weak self] result in
      self?.ended(file, result)
    }
  }

  /// - Parameter result: whether all of it is written.
  private func ended(_ file: OpenedFile, _ result: Result<Bool, any Error>) {
    isSaving = false
    guard (try? result.get()) == true else {
      // The window stays, with what would be lost.
      if let (_, name, _) = showsThen { changed("failed", ("why", .text("\(name) was not opened"))) }
      (savesAgain, closesOnceSaved, showsThen) = (false, false, nil)
      if file === self.file { isChanged = true }
      var isBusy = false
      if case .failure(FileCoordinationError.busy) = result { isBusy = true }
      return fail(isBusy ? "Not saved: others use the file" : "Not saved: it cannot be written")
    }
    changed("saved", ("path", .text(file.path)))
    if savesAgain { save() }
    savesAgain = false
    if !isSaving, let then = showsThen {
      showsThen = nil
      show(then.file, then.name, then.bytes)
    }
    if closesOnceSaved, !isSaving { app.stop() }
  }

  // MARK: Mouse, fingers and keys

  func pointer(_ e: PointerEvent) {
    switch e.phase {
    case .began:
      pressed = Button.allCases.first { box($0).contains(e.place) }
      if pressed == nil, let picture, place(of: picture).contains(e.place) { stroke = (e.source, e.place) }
    case .moved: if stroke?.source == e.source { draw(to: e.place) }
    case .ended:
      if let pressed, box(pressed).contains(e.place) { pressed == .turn ? turn() : save() }
      (pressed, stroke) = (nil, nil)
    case .cancelled: (pressed, stroke) = (nil, nil)
    default: return
    }
    window.redraw()
  }

  func key(_ e: KeyEvent) {
    if e.isShortcut("q") || e.isShortcut("w") { return closed() }
    if e.isShortcut("s") { return save() }
    if e.key == .text("r") { turn() }
  }

  func resized() { region?.frame = canvas.pixels(app.scale) }
  /// A file that is being written is not left half written, unless the user insists.
  func closed() {
    guard isSaving, !closesOnceSaved else { return app.stop() }
    closesOnceSaved = true
    window.redraw()
  }

  // MARK: What is dropped

  private static let types = ItemImage.readableTypesForItemProvider

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.hasItemsConforming(toTypes: Self.types)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    hover.show(above: true)
    return DropProposal(operation: .copy)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { hover.show(above: false) }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { hover.show(above: false) }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    hover.show(above: false)
    guard
      let (provider, type) = session.items.lazy.compactMap({ item in
        item.itemProvider.bestType(conformingTo: Self.types).map { (item.itemProvider, $0) }
      }).first
    else { return }
    provider.loadInPlaceFileRepresentation(forType: type) { [weak self] result in
      switch result {
      case .success(let file): self?.open(file, provider.suggestedName ?? "Picture")
      case .failure(let error): self?.fail(error.description)
      }
    }
  }

  private func open(_ file: OpenedFile, _ name: String) {
    guard let client else { return }
    opening = file
    file.coordinateReading(client: client) {
      Program.read($0)
    } then: { [weak self] result in
      // Another picture may have been dropped since.
      guard let self, opening === file else { return }
      opening = nil
      switch result {
      case .success(let bytes?): show(file, name, bytes)
      case .failure(FileCoordinationError.busy): fail("Not opened: others use the file")
      case .success(nil), .failure: fail("Not opened: it cannot be read")
      }
    }
  }

  private func show(_ file: OpenedFile, _ name: String, _ bytes: [UInt8]) {
    // The picture that is being saved may have to be saved again.
    guard !isSaving else { return showsThen = (file, name, bytes) }
    guard let (picture, type) = Picture.decode(bytes), Self.types.contains(type) else {
      return fail("It is no picture that can be read")
    }
    (self.file, self.name, self.type, self.picture, isChanged, notice) = (file, name, type, picture, false, nil)
    changed("opened", ("place", .text(file.isOriginal ? "original" : "copy")))
    guard turnsAtOnce else { return }
    turn()
    save()
  }

  /// A picture that is open stays.
  private func fail(_ why: String) {
    (message, notice) = (why, why)
    changed("failed", ("why", .text(why)))
  }
}
