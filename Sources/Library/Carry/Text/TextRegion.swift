import CarryModel

/// A text that the application draws itself, and whose parts are dragged and dropped: selections and paragraphs lift
/// line by line, and what is dropped goes to the caret above the finger.
///
/// A layer on one region with a ``DragInteraction`` and a ``DropInteraction``. ``TextDelegate`` knows where the
/// characters are. Presses on parts that do not lift are the application's as they begin. Used on the client's thread.
public final class TextRegion {
  /// The region of the text; it has the text's visible rectangle.
  public let region: Region
  /// Knows the text. Not retained.
  public private(set) weak var delegate: (any TextDelegate)?
  /// The colour behind lifted text. Initially white.
  public var backgroundColor = PreviewColor.white
  /// The places where drags above the text would insert their items.
  public var dropCarets: Set<Int> { Set(interactions.carets.values) }
  private let interactions: TextInteractions

  /// A part of a text, as it was lifted.
  struct Part {
    weak var text: TextRegion?
    let range: Range<Int>
    let string: String
  }

  /// Makes a text a drag source and a drop target.
  ///
  /// - Parameters:
  ///   - client: the connection.
  ///   - window: an X window of this process that exists on the server.
  ///   - frame: the visible text, in pixels of the window.
  ///   - delegate: retained by the caller.
  public init(client: Client, window: UInt32, frame: Rect, delegate: any TextDelegate) {
    region = Region(client: client, window: window, frame: frame)
    interactions = TextInteractions(region)
    self.delegate = delegate
    interactions.text = self
    let drag = DragInteraction(delegate: interactions)
    drag.mayBegin = { [weak interactions] in interactions?.range(at: $0) != nil }
    let drop = DropInteraction(delegate: interactions)
    drop.allowsSimultaneousDropSessions = true
    region.addInteraction(drag)
    region.addInteraction(drop)
  }

  deinit { region.invalidate() }

  /// The parts of this text that a session carries, in the order of its items. Nil if it carries anything else, or if
  /// the text of a part has changed since.
  func lifted(in session: DropSession) -> [Range<Int>]? {
    guard let items = session.localDragSession?.items, let delegate else { return nil }
    var ranges: [Range<Int>] = []
    for item in items {
      guard let part = item.textPart, part.text === self,
        delegate.text(self, stringIn: part.range) == part.string
      else { return nil }
      ranges.append(part.range)
    }
    return ranges
  }

  /// The proposal that the delegate's default makes: a move for a single part of this text, unless it would be dropped
  /// into itself, and otherwise a copy.
  public func proposal(for session: DropSession, at offset: Int) -> DropProposal {
    guard let own = lifted(in: session) else { return DropProposal(operation: .copy) }
    if own.contains(where: { $0.lowerBound < offset && offset < $0.upperBound }) {
      return DropProposal(operation: .cancel)
    }
    // Several parts are copied, because each one that moves would shift the others.
    return DropProposal(operation: session.allowsMoveOperation && own.count == 1 ? .move : .copy)
  }
}

/// The answers of a text's two interactions.
private final class TextInteractions: DragInteractionDelegate, DropInteractionDelegate {
  let region: Region
  weak var text: TextRegion?
  /// The carets of the drags above the text.
  private(set) var carets: [UInt32: Int] = [:]
  /// The caret of the last drop.
  private var dropCaret: Int?

  init(_ region: Region) { self.region = region }

  private func inWindow(_ point: Point) -> Point {
    Point(x: point.x + Double(region.frame.x), y: point.y + Double(region.frame.y))
  }

  func range(at point: Point) -> Range<Int>? {
    text.flatMap { $0.delegate?.text($0, rangeToLiftAt: inWindow(point)) }
  }

  private func offset(_ session: DropSession) -> Int? {
    text.flatMap { $0.delegate?.text($0, offsetAt: inWindow(session.location(in: region))) }
  }

  private func items(at point: Point) -> [DragItem] {
    guard let text, let delegate = text.delegate, let range = range(at: point) else { return [] }
    let items = delegate.text(text, itemsFor: range)
    for item in items {
      item.textPart = TextRegion.Part(text: text, range: range, string: delegate.text(text, stringIn: range))
    }
    return items
  }

  private func move(_ session: DropSession, to caret: Int?) {
    guard carets[session.identifier] != caret else { return }
    carets[session.identifier] = caret
    if let text { text.delegate?.textNeedsDisplay(text) }
  }

  // MARK: Lifting

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    items(at: session.location(in: region))
  }

  /// A part of the text is added once.
  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] {
    let range = range(at: point)
    let isThere = session.items.contains { $0.textPart.map { $0.text === text && $0.range == range } ?? false }
    return isThere ? [] : items(at: point)
  }

  /// The lines of the part, as they look.
  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    guard let part = item.textPart, let text, let delegate = text.delegate else { return .usual(.carried) }
    let lines = delegate.text(text, lineRectsOf: part.range).map { $0.intersection(region.frame) }
      .filter { !$0.isEmpty }
    guard let first = lines.first else { return .usual(.carried) }
    let frame = lines.dropFirst().reduce(first) { $0.union($1) }
    var usual = DragPreviewParameters(
      textLineRects: lines.map { Rect(x: $0.x - frame.x, y: $0.y - frame.y, width: $0.width, height: $0.height) })
    usual.backgroundColor = text.backgroundColor
    let shown = delegate.text(text, previewParametersFor: part.range, in: frame) ?? usual
    return TargetedDragPreview(window: region.window, rect: frame, parameters: shown)
  }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {
    if let text { text.delegate?.text(text, sessionWillBegin: session) }
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    if let text { text.delegate?.text(text, session: session, didEndWith: operation) }
  }

  // MARK: Dropping

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    text?.delegate.map { session.hasItemsConforming(toTypes: $0.acceptedTypes) } ?? false
  }

  /// The caret is above the finger, which hides the line that it points at.
  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    guard let text, let delegate = text.delegate, let offset = offset(session) else {
      return DropProposal(operation: .cancel)
    }
    var proposal = delegate.text(text, sessionDidUpdate: session, at: offset)
    proposal.isPrecise = true
    move(session, to: proposal.operation == .copy || proposal.operation == .move ? offset : nil)
    return proposal
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { move(session, to: nil) }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { move(session, to: nil) }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    guard let text, let delegate = text.delegate, let offset = offset(session) else { return }
    dropCaret = offset
    move(session, to: nil)
    if session.operation == .move, let own = text.lifted(in: session), let range = own.first, own.count == 1 {
      delegate.text(text, move: range, to: offset)
    } else {
      delegate.text(text, performDrop: session, at: offset)
    }
  }

  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let text, let delegate = text.delegate else { return defaultPreview }
    let caret = dropCaret.flatMap { delegate.text(text, lineRectsOf: $0..<$0).first }
    let preview =
      caret.map { defaultPreview.retargetedPreview(with: .init(container: region, middleOf: $0)) } ?? defaultPreview
    return delegate.text(text, previewForDropping: item, withDefault: preview)
  }

  func dropInteraction(_ interaction: DropInteraction, concludeDrop session: DropSession) {
    if let text { text.delegate?.text(text, concludeDrop: session) }
  }
}
