import Carry
import DemoKit

/// The notes' drag and drop, as long as there is an engine: text and pictures of the page, the link's card, links on the
/// "+"; tabs and the "+" spring open.
final class Surface: DragInteractionDelegate {
  unowned let notes: Notes
  private let client: Client
  let plus, link: Region
  private(set) var page: TextRegion?
  lazy var plusDrop = DropInteraction(delegate: self)
  private var tabs: [Region] = []
  /// The note that hovering over the "+" has made: what is dropped there next is for it.
  var sprung: Int?
  /// Where pictures that were dropped last will be, in units of the window.
  var landing: [ObjectIdentifier: Box] = [:]

  var app: App { notes.app }

  init(_ notes: Notes, _ client: Client) {
    self.notes = notes
    self.client = client
    func region() -> Region {
      let region = Region(client: client, window: notes.window.number, frame: Rect(x: 0, y: 0, width: 0, height: 0))
      region.onTouchCancelled = { [unowned notes] in notes.window.touchCancelled($0) }
      return region
    }
    (plus, link) = (region(), region())
    let page = TextRegion(client: client, window: notes.window.number, frame: plus.frame, delegate: self)
    page.backgroundColor = Self.paper
    page.region.onTouchCancelled = { [unowned notes] in notes.window.touchCancelled($0) }
    self.page = page
    link.addInteraction(DragInteraction(delegate: self))
    link.raise()
    plus.addInteraction(plusDrop)
    plus.addInteraction(
      SpringLoadedInteraction(
        effect: { [unowned notes] _, context in
          notes.plusState = context.state
          let isLit = context.state == .possible || context.state == .activating
          notes.plusGlow.go(to: isLit ? 1 : 0, at: notes.app.now, over: 0.15)
          notes.window.redraw()
        },
        activationHandler: { [weak self, unowned notes] _, _ in self?.sprung = notes.open("spring-opened") }))
    follow()
  }

  static let paper = PreviewColor(red: Notes.paper.red, green: Notes.paper.green, blue: Notes.paper.blue)

  // MARK: Regions

  /// Brings the regions in line with what is shown.
  func follow() {
    let l = notes.layout
    page?.region.frame = Box(0, Layout.bar, l.all.width, l.all.height - Layout.bar).pixels(app.scale)
    plus.frame = l.plus.inset(-4).pixels(app.scale)
    link.frame = (l.link ?? Box(0, 0, 0, 0)).pixels(app.scale)
    while tabs.count > l.tabs.count { tabs.removeLast().invalidate() }
    while tabs.count < l.tabs.count {
      let i = tabs.count
      let region = Region(client: client, window: notes.window.number, frame: l.tabs[i].pixels(app.scale))
      region.addInteraction(
        SpringLoadedInteraction(
          effect: { [unowned notes] _, context in
            notes.litTab = context.state == .possible || context.state == .activating ? i : nil
            notes.window.redraw()
          },
          activationHandler: { [unowned notes] _, _ in notes.show(i) }))
      tabs.append(region)
    }
    for (i, tab) in l.tabs.enumerated() { tabs[i].frame = tab.pixels(app.scale) }
  }

  // MARK: The link's card

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    notes.note.link.map { [DragItem(itemProvider: Self.provider(of: $0))] } ?? []
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] { dragInteraction(interaction, itemsForBeginning: session) }

  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    TargetedDragPreview(window: notes.window.number, rect: link.frame, parameters: rounded(link.frame, radius: 12))
  }

  func rounded(_ frame: Rect, radius: Double) -> DragPreviewParameters {
    var parameters = DragPreviewParameters(
      width: frame.width, height: frame.height, cornerRadius: radius * app.scale)
    parameters.backgroundColor = Self.paper
    return parameters
  }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) { notes.say("lifted") }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) { ended(operation) }

  func ended(_ operation: DropOperation) {
    switch operation {
    case .copy: notes.changed("copied-out")
    case .move: notes.changed("moved-by-drag")
    case .cancel, .forbidden: notes.changed("drag-cancelled")
    }
  }

  static func provider(of link: Link) -> ItemProvider {
    let provider = ItemProvider()
    let representations = [
      ("text/uri-list", Array((link.address + "\r\n").utf8)), ("text/x-moz-url", link.mozilla),
      ("text/plain;charset=utf-8", Array(link.address.utf8)), ("text/plain", Array(link.address.utf8)),
    ]
    for (type, bytes) in representations {
      provider.registerDataRepresentation(forType: type) { $0(.success(bytes)) }
    }
    provider.suggestedName = link.host
    return provider
  }
}
