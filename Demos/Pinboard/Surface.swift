import Carry
import DemoKit

/// The board's drag and drop, as long as there is an engine: one drag and one drop delegate.
///
/// Each photo is a region, so that it lifts alone; the board below them is one that takes drops.
final class Surface: DragInteractionDelegate, DropInteractionDelegate {
  /// What a photo's item keeps: which it is, and where the finger holds it.
  private struct Held {
    let photo: Int
    /// From the finger to the photo's middle.
    let offset: Point
  }

  private unowned let pinboard: Pinboard
  private let client: Client
  private let board: Region
  /// In the order in which they lie above one another.
  private var regions: [(photo: Int, region: Region, drag: DragInteraction)] = []
  /// What each running session carries.
  private var carried: [UInt32: Set<Int>] = [:]

  /// Photos whose previews are on their way to their new places: they are not seen twice.
  private var landing: Set<Int> = []

  private var app: App { pinboard.app }

  init(_ pinboard: Pinboard, _ client: Client) {
    self.pinboard = pinboard
    self.client = client
    board = Region(client: client, window: pinboard.window.number, frame: Rect(x: 0, y: 0, width: 0, height: 0))
    let drop = DropInteraction(delegate: self)
    // Two hands may bring photos at the same time.
    drop.allowsSimultaneousDropSessions = true
    board.addInteraction(drop)
    // What is pasted hangs where the eye is: in the middle.
    board.pasteConfiguration = PasteConfiguration(acceptableTypes: Picture.readableTypes)
    board.onPaste = { [unowned self] _, session in take(session, at: units(session.location(in: board)), "pasted") }
    follow()
  }

  // MARK: Regions

  /// Brings the regions in line with the board.
  func follow() {
    let scale = app.scale
    board.frame = Box(0, 0, pinboard.window.width, pinboard.window.height).pixels(scale)
    let pins = pinboard.board.pins
    for gone in regions where !pins.contains(where: { $0.id == gone.photo }) { gone.region.invalidate() }
    regions.removeAll { r in !pins.contains { $0.id == r.photo } }
    for pin in pins where !regions.contains(where: { $0.photo == pin.id }) {
      let region = Region(client: client, window: pinboard.window.number, frame: frame(of: pin))
      region.onTouchCancelled = { [unowned pinboard] in pinboard.window.touchCancelled($0) }
      let drag = DragInteraction(delegate: self)
      region.addInteraction(drag)
      regions.append((pin.id, region, drag))
    }
    // From the first that is out of order on, they are put above one another as the photos are.
    var same = 0
    while same < min(regions.count, pins.count), regions[same].photo == pins[same].id { same += 1 }
    for pin in pins[same...] {
      guard let i = regions.firstIndex(where: { $0.photo == pin.id }) else { continue }
      regions[i].region.raise()
      regions.append(regions.remove(at: i))
    }
    for r in regions { if let pin = pinboard.board[r.photo] { r.region.frame = frame(of: pin) } }
  }

  private func frame(of pin: Board.Pin) -> Rect {
    (pinboard.photos[pin.id]?.paper(at: pin.center) ?? Box(0, 0, 0, 0)).pixels(app.scale)
  }

  private func units(_ p: Point) -> Point { p * (1 / app.scale) }

  // MARK: Dragging

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    items(of: interaction, at: session.location(in: board))
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] {
    guard let region = interaction.region else { return [] }
    return items(
      of: interaction, at: point + Point(x: Double(region.frame.x), y: Double(region.frame.y)))
  }

  /// A photo is carried once, however many hands reach for it.
  private func items(of interaction: DragInteraction, at point: Point) -> [DragItem] {
    guard let id = regions.first(where: { $0.drag === interaction })?.photo, let pin = pinboard.board[id],
      !carried.values.contains(where: { $0.contains(id) }), let provider = pinboard.photos[id]?.provider()
    else { return [] }
    let item = DragItem(itemProvider: provider)
    item.localObject = Held(photo: id, offset: pin.center - units(point))
    return [item]
  }

  /// The paper alone lifts, turned as it hangs.
  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    guard let held = item.localObject as? Held, let pin = pinboard.board[held.photo],
      let photo = pinboard.photos[held.photo]
    else { return interaction.region.map { TargetedDragPreview(region: $0) } }
    let corners = photo.corners(pin).map { $0 * app.scale }
    let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
    let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    let rect = Rect(
      x: Int(left.rounded(.down)), y: Int(top.rounded(.down)), width: Int((right - left).rounded(.up)) + 1,
      height: Int((bottom - top).rounded(.up)) + 1)
    var path = Path()
    for (i, corner) in corners.enumerated() {
      let p = corner - Point(x: Double(rect.x), y: Double(rect.y))
      if i == 0 { path.move(to: p) } else { path.addLine(to: p) }
    }
    path.closeSubpath()
    var parameters = DragPreviewParameters()
    parameters.visiblePath = path
    // What hangs over it does not lift with it: where something does, the photo is drawn by itself.
    if isCovered(held.photo), let image = drawing(of: photo, pin, rect)?.preview() {
      return TargetedDragPreview(
        view: .image(image), parameters: parameters,
        target: DragPreviewTarget(container: board, center: Point(x: (left + right) / 2, y: (top + bottom) / 2)))
    }
    return TargetedDragPreview(window: pinboard.window.number, rect: rect, parameters: parameters)
  }

  private func isCovered(_ id: Int) -> Bool {
    func box(_ pin: Board.Pin) -> Box? {
      guard let corners = pinboard.photos[pin.id]?.corners(pin) else { return nil }
      let (xs, ys) = (corners.map(\.x), corners.map(\.y))
      let (x, y) = (xs.min() ?? 0, ys.min() ?? 0)
      return Box(x, y, (xs.max() ?? 0) - x, (ys.max() ?? 0) - y)
    }
    let pins = pinboard.board.pins
    guard let i = pins.firstIndex(where: { $0.id == id }), let own = box(pins[i]) else { return false }
    return pins[(i + 1)...].contains { pin in
      box(pin).map { $0.x < own.maxX && own.x < $0.maxX && $0.y < own.maxY && own.y < $0.maxY } ?? false
    }
  }

  /// A photo alone, in a part of the board's pixels.
  private func drawing(of photo: Photo, _ pin: Board.Pin, _ rect: Rect) -> Picture? {
    let scale = app.scale
    return Picture(units: Double(rect.width) / scale, Double(rect.height) / scale, scale: scale) { c in
      c.translate(-Double(rect.x) / scale, -Double(rect.y) / scale)
      photo.draw(on: c, pin, isSelected: false, isLifted: false, now: app.now)
    }
  }

  func dragInteraction(_ interaction: DragInteraction, liftDidBegin session: DragSession) { hold(session) }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) {
    hold(session)
    dim(session)
  }

  func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) {
    if position == .start { restore(session, "lift-reversed") } else { dim(session) }
  }

  /// A photo has its size over its own board.
  func dragInteraction(_ interaction: DragInteraction, prefersFullSizePreviewsFor session: DragSession) -> Bool {
    true
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    let word =
      switch operation {
      case .copy: "copied-out"
      case .move: "moved-by-drag"
      case .cancel, .forbidden: "drag-cancelled"
      }
    restore(session, word)
  }

  private func hold(_ session: DragSession) {
    carried[session.identifier] = Set(session.items.compactMap { ($0.localObject as? Held)?.photo })
  }

  /// What is carried hangs dimmed.
  private func dim(_ session: DragSession) {
    for id in carried[session.identifier] ?? [] { pinboard.photos[id]?.opacity.go(to: 0.4, at: app.now, over: 0.18) }
    pinboard.window.redraw()
  }

  private func restore(_ session: DragSession, _ event: String) {
    for id in carried.removeValue(forKey: session.identifier) ?? [] where !landing.contains(id) {
      pinboard.photos[id]?.opacity.go(to: 1, at: app.now, over: 0.18)
    }
    pinboard.changed(event)
  }

  // MARK: Dropping

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.hasItemsConforming(toTypes: Picture.readableTypes)
  }

  /// Which of our own photos the drop session carries; nil when it is from elsewhere.
  private func ours(_ session: DropSession) -> [Held]? {
    guard session.localDragSession != nil else { return nil }
    return session.items.compactMap { $0.localObject as? Held }
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {
    pinboard.report.say("entered")
    guard ours(session) == nil else { return }
    pinboard.hovering.insert(session.identifier)
    pinboard.show(hovering: true)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    guard ours(session) != nil else { return DropProposal(operation: .copy) }
    var proposal = DropProposal(operation: session.allowsMoveOperation ? .move : .cancel)
    proposal.prefersFullSizePreview = true
    return proposal
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { left(session) }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { left(session) }

  private func left(_ session: DropSession) {
    pinboard.hovering.remove(session.identifier)
    pinboard.show(hovering: !pinboard.hovering.isEmpty)
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    let place = units(session.location(in: board))
    if let held = ours(session) {
      rearrange(held, at: place)
    } else {
      take(session, at: place)
    }
  }

  /// No data moves: they are here.
  private func rearrange(_ held: [Held], at place: Point) {
    let fanned = Board.fanned(held.count, about: place)
    pinboard.change("rearranged") { board in
      for (i, one) in held.enumerated() {
        board.move(one.photo, to: pinboard.kept(held.count == 1 ? place + one.offset : fanned[i]))
        board.raise(one.photo)
      }
    }
  }

  /// Our own go to where they hang from now on; those from elsewhere shrink, and appear when their data has come.
  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let held = item.localObject as? Held, let pin = pinboard.board[held.photo] else { return nil }
    return defaultPreview.retargetedPreview(
      with: DragPreviewTarget(container: board, center: pin.center * app.scale))
  }

  func dropInteraction(
    _ interaction: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating
  ) {
    guard let held = item.localObject as? Held, let photo = pinboard.photos[held.photo] else { return }
    landing.insert(held.photo)
    photo.opacity = Animation(0)
    animator.addCompletion { [weak self] _ in
      self?.landing.remove(held.photo)
      photo.opacity = Animation(1)
      self?.pinboard.window.redraw()
    }
    pinboard.window.redraw()
  }

  // MARK: The clipboard

  func copy(_ photo: Photo) {
    guard let provider = photo.provider() else { return }
    do { try client.pasteboard.setItemProviders([provider]) } catch { return pinboard.report.say("not-copied") }
    pinboard.report.say("copied")
  }

  func paste() { try? board.paste() }

  // MARK: What comes

  /// Photos from elsewhere: their places are here at once, they themselves as they come.
  private func take(_ session: DropSession, at place: Point, _ event: String = "dropped") {
    let items = session.items.map(\.itemProvider).filter { $0.canLoadObject(of: ReceivedPicture.self) }
    let places = Board.fanned(items.count, about: place)
    pinboard.change(event) { board in
      for (i, provider) in items.enumerated() {
        let photo = pinboard.makePhoto(name: provider.suggestedName, .coming(nil))
        photo.growth = Animation(0)
        photo.growth.go(to: 1, at: app.now, over: 0.25)
        board.add(photo.id, at: pinboard.kept(places[i]))
        let load = provider.loadObject(of: ReceivedPicture.self) { [weak self] in self?.arrived(photo, $0) }
        if case .coming = photo.content { photo.content = .coming(load) }
      }
    }
  }

  private func arrived(_ photo: Photo, _ result: Result<ReceivedPicture, LoadError>) {
    guard case .success(let received) = result else {
      photo.content = .failed
      pinboard.changed("failed")
      // Long enough to be read.
      app.after(2.5) { [weak pinboard] in
        pinboard?.board.remove(photo.id)
        pinboard?.changed("removed")
      }
      return
    }
    photo.content = .picture(received.picture, .bytes(received.bytes, type: received.type))
    photo.arrival = Animation(0)
    photo.arrival.go(to: 1, at: app.now, over: 0.3)
    pinboard.changed("arrived")
  }
}
