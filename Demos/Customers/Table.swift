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
  /// Rows of drags of this list, which are paler meanwhile.
  private var carried: Set<Int> = []
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
    entries.indices.map { row($0).inset(4).pixels(owner.app.scale) }
  }

  private func layOut() {
    cells?.dropFrame = box.pixels(owner.app.scale)
    cells?.frames = frames
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
    for case .before(let i) in cells?.dropPlaces ?? [] {
      c.fill(Box(box.x + 20, row(i).y - 1.5, box.width - 40, 3), radius: 1.5, Color(0x3F7FD0))
    }
  }

  func isMoving(at now: Double) -> Bool {
    entries.contains { if case .coming = $0.entry { true } else { false } }
      || attachments.values.contains { $0.isMoving(at: now) }
  }

  // MARK: Engine

  func connect(_ client: Client) {
    cells = CellRegions(client: client, window: owner.window.number, delegate: self) { [unowned owner] region, _ in
      region.onTouchCancelled = { [unowned owner] in owner.window.touchCancelled($0) }
    }
    let list = cells?.acceptDrops(in: box.pixels(owner.app.scale), self)
    list?.label = "Customers"
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

  func cells(_ cells: CellRegions, canHandle session: DropSession) -> Bool {
    session.canLoadObjects(of: Customer.self)
  }

  func cellsNeedDisplay(_ cells: CellRegions) { owner.window.redraw() }

  func cells(_ cells: CellRegions, performDropWith coordinator: CellDropCoordinator) {
    var index = coordinator.destination.insertionIndex
    for item in coordinator.items {
      if let (from, to) = coordinator.move(item, before: index) {
        entries.insert(entries.remove(at: from), at: to)
        index = to + 1
        continue
      }
      let placeholder = coordinator.insert(item, as: Customer.self, at: index) { [weak self] index, result in
        self?.arrived(index, result)
      }
      guard let placeholder else { continue }
      nextID += 1
      let name = item.dragItem.itemProvider.suggestedName ?? "A customer"
      entries.insert((nextID, .coming(placeholder, name: name)), at: index)
      index += 1
    }
    layOut()
  }

  /// The data has come, or has not: the placeholder becomes a row, or goes.
  private func arrived(_ index: Int, _ result: Result<Customer, LoadError>) {
    switch result {
    case .success(let customer):
      entries[index].entry = .customer(customer)
      owner.report.say(
        "customer", ("name", .text(customer.name)), ("phone", .text(customer.phone)),
        ("photo", .number(customer.photo == nil ? 0 : 1)), ("row", .number(Double(index))))
    case .failure(let error):
      entries.remove(at: index)
      owner.report.say("failed", ("why", .text(error.description)))
    }
    layOut()
  }
}
