import Carry
import DemoKit

/// The gallery's regions, as long as there is an engine, and what comes in.
final class Surface: DropInteractionDelegate {
  unowned let gallery: Gallery
  let client: Client
  private let area: Region
  private let disposal: Disposal
  private(set) var cells: [(entry: Int, region: Region, drag: DragInteraction)] = []
  /// Images of sessions that started here.
  var carried: [UInt32: [Int]] = [:]
  /// Where the items of a drop go. Cleared when it is concluded; their data may still be under way then.
  private var places: [UInt32: [ObjectIdentifier: Entry]] = [:]
  /// Sessions above that would be taken.
  private var hovering: Set<UInt32> = []
  /// How fast each session above wants to scroll.
  private var edges: [UInt32: Double] = [:] {
    didSet { gallery.edgeSpeed = edges.values.max { abs($0) < abs($1) } ?? 0 }
  }

  var app: App { gallery.app }

  init(_ gallery: Gallery, _ client: Client) {
    self.gallery = gallery
    self.client = client
    area = Region(client: client, window: gallery.window.number, frame: gallery.grid.area.pixels(gallery.app.scale))
    disposal = Disposal(gallery, client)
    let drop = DropInteraction(delegate: self)
    drop.allowsSimultaneousDropSessions = true
    drop.edgeZone = Int(46 * gallery.app.scale)
    area.addInteraction(drop)
    follow()
  }

  /// Brings the regions in line with what is seen.
  func follow() {
    let scale = app.scale
    area.frame = gallery.grid.area.pixels(scale)
    disposal.follow()
    let entries = gallery.entries
    for gone in cells where !entries.contains(where: { $0.id == gone.entry && $0.isPicture }) {
      gone.region.invalidate()
    }
    cells.removeAll { cell in !entries.contains { $0.id == cell.entry && $0.isPicture } }
    for entry in entries where entry.isPicture {
      let seen = gallery.box(of: entry).flatMap { gallery.grid.seen($0) } ?? Box(0, 0, 0, 0)
      if let cell = cells.first(where: { $0.entry == entry.id }) {
        cell.region.frame = seen.pixels(scale)
        continue
      }
      let region = Region(client: client, window: gallery.window.number, frame: seen.pixels(scale))
      region.onTouchCancelled = { [unowned gallery] in gallery.window.touchCancelled($0) }
      let drag = DragInteraction(delegate: self)
      region.addInteraction(drag)
      cells.append((entry.id, region, drag))
    }
  }

  // MARK: Dropping

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {
    gallery.report.say("entered", ("items", .number(Double(session.items.count))))
  }

  /// Copies of images; what is here already is not to be had twice, and what is no image gets to know why.
  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    edges[session.identifier] = session.edgeSpeed.y
    if gallery.edgeSpeed != 0 { gallery.window.redraw() }
    guard session.localDragSession == nil else { return DropProposal(operation: .cancel) }
    guard session.hasItemsConforming(toTypes: Picture.readableTypes) else {
      var proposal = DropProposal(operation: .forbidden)
      proposal.reason = "Images only"
      return proposal
    }
    if hovering.insert(session.identifier).inserted { gallery.show(hovering: true) }
    return DropProposal(operation: .copy)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { left(session) }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { left(session) }

  private func left(_ session: DropSession) {
    edges[session.identifier] = nil
    hovering.remove(session.identifier)
    gallery.show(hovering: !hovering.isEmpty)
  }

  /// Each image has its place at once, and nothing to be seen there until its preview has arrived.
  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    // Each place shows how far its image is.
    session.progressIndicatorStyle = .none
    var new: [Entry] = []
    for item in session.items {
      let provider = item.itemProvider
      guard provider.canLoadObject(of: ReceivedPicture.self) else { continue }
      let entry = gallery.append(provider.suggestedName)
      entry.isLanding = true
      places[session.identifier, default: [:]][ObjectIdentifier(item)] = entry
      new.append(entry)
      let load = provider.loadObject(of: ReceivedPicture.self) { [weak self] in self?.arrived(entry, $0) }
      load.onProgress = { [weak gallery] load in
        guard let fraction = load.fractionCompleted, !load.isFinished else { return }
        gallery?.report.say("progress", ("image", .text(entry.name ?? "-")), ("fraction", .number(fraction)))
      }
      if case .coming = entry.content { entry.content = .coming(load) }
    }
    for entry in new.reversed() { gallery.reveal(entry) }
    gallery.changed("dropped")
  }

  private func arrived(_ entry: Entry, _ result: Result<ReceivedPicture, LoadError>) {
    guard gallery.entry(entry.id) === entry else { return }
    switch result {
    case .failure(let error): entry.content = .failed(error.description)
    case .success(let received):
      entry.content = .picture(received.picture, bytes: received.bytes, type: received.type)
      entry.arrival = Animation(0)
      entry.arrival.go(to: 1, at: app.now, over: 0.3)
    }
    gallery.changed(entry.isPicture ? "arrived" : "failed")
  }

  /// The carried picture becomes the placeholder of its cell on the way there.
  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let entry = place(of: item), let box = gallery.box(of: entry), gallery.grid.seen(box) != nil else {
      return nil
    }
    let scale = app.scale
    let drawing = Picture(units: box.width, box.height, scale: scale) { c in
      Entry.drawPlaceholder(on: c, in: Box(0, 0, box.width, box.height), now: app.now)
    }
    guard let drawing, let image = drawing.preview() else { return nil }
    let parameters = DragPreviewParameters(
      width: drawing.width, height: drawing.height, cornerRadius: Entry.radius * scale)
    let origin = gallery.grid.area
    let center = Point(x: (box.center.x - origin.x) * scale, y: (box.center.y - origin.y) * scale)
    return TargetedDragPreview(
      view: .image(image), parameters: parameters, target: DragPreviewTarget(container: area, center: center))
  }

  func dropInteraction(
    _ interaction: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating
  ) {
    guard let entry = place(of: item) else { return }
    animator.addCompletion { [weak self] _ in self?.landed(entry) }
  }

  /// Of many items only the first is told of one by one: here are the others.
  func dropInteraction(_ interaction: DropInteraction, concludeDrop session: DropSession) {
    for entry in (places.removeValue(forKey: session.identifier) ?? [:]).values { landed(entry) }
    gallery.say("concluded")
  }

  private func place(of item: DragItem) -> Entry? { places.values.lazy.compactMap { $0[ObjectIdentifier(item)] }.first }

  private func landed(_ entry: Entry) {
    guard entry.isLanding else { return }
    entry.isLanding = false
    gallery.say("landed")
    gallery.window.redraw()
  }
}
