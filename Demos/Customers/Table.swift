import Carry
import DemoKit

/// The list: rows that lift, and room between them for what is dropped.
final class Table: CellDragDelegate, CellDropDelegate {
  private enum Entry {
    case customer(Customer)
    /// A drop whose data is on its way.
    case coming(CellPlaceholder, name: String)
  }

  private unowned let owner: Customers
  private var entries: [(id: Int, entry: Entry)]
  private var nextID: Int
  private(set) var cells: CellRegions?
  private var surface: Region?
  /// Where a drag above the list would put what it carries.
  private var gap: Int?
  /// Rows of drags of this list, which are paler meanwhile.
  private var carried: Set<Int> = []
  /// What a drop brought, for what lands: the entries by their items.
  private var landing: [ObjectIdentifier: Int] = [:]

  /// Pictures of customers, by the rows' numbers.
  private var attachments: [Int: Attachment] = [:]

  private static let head = 62.0

  var box = Box(0, 0, 0, 0) {
    didSet { layOut() }
  }

  init(_ owner: Customers) {
    self.owner = owner
    entries = Customer.samples.enumerated().map { ($0.offset, .customer($0.element)) }
    nextID = entries.count
    attachments[0] = Attachment(owner, "customers/The lake.jpg", of: "Ada Lindqvist")
    attachments[2] = Attachment(owner, "customers/The dunes.jpg", of: "Chiyo Tanaka")
  }

  private func row(_ i: Int) -> Box {
    Box(box.x, box.y + Self.head + Double(i) * Row.height, box.width, Row.height)
  }

  private var frames: [Rect] {
    entries.indices.map { i in
      guard row(i).maxY <= box.maxY else { return Rect(x: 0, y: 0, width: 0, height: 0) }
      return row(i).inset(4).pixels(owner.app.scale)
    }
  }

  private func layOut() {
    cells?.frames = frames
    surface?.frame = box.pixels(owner.app.scale)
    for (i, (id, _)) in entries.enumerated() {
      // A row that is not seen has no place.
      attachments[id]?.box = row(i).maxY <= box.maxY ? Attachment.box(in: row(i)) : Box(0, 0, 0, 0)
    }
    owner.window.redraw()
  }

  // MARK: Looks

  func draw(on c: Canvas, now: Double) {
    c.draw(TextLayout("Customers", TextStyle(21, .semibold)), at: Point(x: 22, y: 20))
    for (i, (id, entry)) in entries.enumerated() {
      let b = row(i)
      if i > 0 { c.fill(Box(b.x + 83, b.y - 0.5, b.width - 83, 1), Color(0xE8E4DC)) }
      switch entry {
      case .customer(let customer):
        let attachment = attachments[id]
        c.translucent(carried.contains(id) ? 0.35 : 1) {
          Row.draw(customer, on: c, in: attachment == nil ? b : Box(b.x, b.y, b.width - 90, b.height))
        }
        if let attachment, attachment.box.width > 0 { attachment.draw(on: c, now: now) }
      case .coming(let coming, let name):
        Row.placeholder(name, coming.fractionCompleted, on: c, in: b, now: now)
      }
    }
    guard let gap else { return }
    c.fill(Box(box.x + 20, row(gap).y - 1.5, box.width - 40, 3), radius: 1.5, Color(0x3F7FD0))
  }

  func isMoving(at now: Double) -> Bool {
    entries.contains { if case .coming = $0.entry { true } else { false } }
      || attachments.values.contains { $0.isMoving(at: now) }
  }

  // MARK: Engine

  func connect(_ client: Client) {
    let surface = Region(client: client, window: owner.window.number, frame: box.pixels(owner.app.scale))
    let drops = DropInteraction(delegate: self)
    drops.acceptedTypes = Customer.readableTypesForItemProvider
    surface.label = "Customers"
    surface.addInteraction(drops)
    self.surface = surface
    cells = CellRegions(client: client, window: owner.window.number, delegate: self) { [unowned owner] region, _ in
      region.onTouchCancelled = { [unowned owner] in owner.window.touchCancelled($0) }
    }
    cells?.frames = frames
    // Above the rows.
    for attachment in attachments.values { attachment.connect(client) }
    layOut()
  }

  // MARK: Rows that are carried away

  func cells(_ cells: CellRegions, itemsFor session: DragSession, at index: Int) -> [DragItem] {
    guard case .customer(let customer) = entries[index].entry else { return [] }
    let provider = ItemProvider(object: customer)
    provider.suggestedName = customer.name.replacing("/", with: "-") + ".vcf"
    let item = DragItem(itemProvider: provider)
    item.localObject = entries[index].id
    return [item]
  }

  func cells(_ cells: CellRegions, previewParametersAt index: Int) -> DragPreviewParameters {
    let frame = cells.frames[index]
    return DragPreviewParameters(width: frame.width, height: frame.height, cornerRadius: 12 * owner.app.scale)
  }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) { note(session) }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) { note(session) }

  private func note(_ session: DragSession) {
    carried.formUnion(session.items.compactMap { $0.localObject as? Int })
    owner.window.redraw()
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    carried.subtract(session.items.compactMap { $0.localObject as? Int })
    owner.window.redraw()
    owner.report.say("carried-away", ("operation", .number(Double(operation.rawValue))))
  }

  // MARK: What is dropped

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.canLoadObjects(of: Customer.self)
  }

  func cells(
    _ cells: CellRegions, sessionDidUpdate session: DropSession, at destination: CellDestination
  ) -> DropProposal {
    show(gap: min(destination.insertionIndex, entries.count))
    return DropProposal(operation: session.isLocal && session.allowsMoveOperation ? .move : .copy)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { show(gap: nil) }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { show(gap: nil) }

  private func show(gap new: Int?) {
    guard new != gap else { return }
    gap = new
    owner.window.redraw()
  }

  func cells(_ cells: CellRegions, performDrop session: DropSession, at destination: CellDestination) {
    show(gap: nil)
    var place = min(destination.insertionIndex, entries.count)
    for item in session.items {
      if session.isLocal, let id = item.localObject as? Int {
        place = move(id, to: place)
        continue
      }
      guard item.itemProvider.canLoadObject(of: Customer.self) else { continue }
      let id = nextID
      nextID += 1
      let load = item.itemProvider.loadObject(of: Customer.self) { [weak self] in self?.arrived(id, $0) }
      guard !load.isFinished,
        let placeholder = cells.insertPlaceholder(row(place).pixels(owner.app.scale), at: place, for: load)
      else { continue }
      load.onProgress = { [weak owner] _ in owner?.window.redraw() }
      entries.insert((id, .coming(placeholder, name: item.itemProvider.suggestedName ?? "A customer")), at: place)
      landing[ObjectIdentifier(item)] = id
      place += 1
    }
    layOut()
  }

  private func move(_ id: Int, to place: Int) -> Int {
    guard let from = entries.firstIndex(where: { $0.id == id }) else { return place }
    let to = place > from ? place - 1 : place
    entries.insert(entries.remove(at: from), at: to)
    cells?.move(from: from, to: to)
    return to + 1
  }

  /// The data has come, or has not: the placeholder becomes a row, or goes.
  private func arrived(_ id: Int, _ result: Result<Customer, LoadError>) {
    guard let i = entries.firstIndex(where: { $0.id == id }), case .coming(let placeholder, _) = entries[i].entry else {
      return
    }
    switch result {
    case .success(let customer):
      placeholder.commit()
      entries[i].entry = .customer(customer)
      owner.report.say(
        "customer", ("name", .text(customer.name)), ("phone", .text(customer.phone)),
        ("photo", .number(customer.photo == nil ? 0 : 1)), ("row", .number(Double(i))))
    case .failure(let error):
      placeholder.dismiss()
      entries.remove(at: i)
      owner.report.say("failed", ("why", .text(error.description)))
    }
    layOut()
  }

  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    let id = landing[ObjectIdentifier(item)] ?? item.localObject as? Int
    guard let surface, let i = entries.firstIndex(where: { $0.id == id }) else { return defaultPreview }
    let place = row(i).center * owner.app.scale
    return defaultPreview.retargetedPreview(with: DragPreviewTarget(container: surface, center: place))
  }

  func dropInteraction(_ interaction: DropInteraction, concludeDrop session: DropSession) { landing = [:] }
}
