import Carry
import DemoKit

/// Where everything is, in units of the kit.
struct Layout: Equatable {
  var stacksTitle, codesTitle, placeTitle, farTitle: Point
  /// The switch.
  var doubles: Box
  var stacks: [Box]
  var codes, place: Box
  var far: [Box]

  private static let margin = 26.0
  private static let gap = 16.0
  /// A title with its hint.
  private static let head = 54.0

  init(_ width: Double, _ height: Double) {
    let (m, gap, head) = (Self.margin, Self.gap, Self.head)
    let wide = max(200, width - 2 * m)
    // Three rows share what the titles leave.
    let high = max(180, height - 3 * head - 2.5 * m)
    let (first, second, third) = (high * 0.31, high * 0.41, high * 0.28)
    func row(_ count: Int, _ y: Double, _ height: Double) -> [Box] {
      let each = (wide - Double(count - 1) * gap) / Double(count)
      return (0..<count).map { Box(m + Double($0) * (each + gap), y, each, height) }
    }
    var y = m * 0.7
    stacksTitle = Point(x: m, y: y)
    doubles = Box(width - m - 34, y + 2, 34, 20)
    stacks = row(4, y + head, first)
    y += head + first + m * 0.5
    let pair = row(2, y + head, second)
    (codes, place) = (pair[0], pair[1])
    codesTitle = Point(x: pair[0].x, y: y)
    placeTitle = Point(x: pair[1].x, y: y)
    y += head + second + m * 0.5
    farTitle = Point(x: m, y: y)
    far = row(3, y + head, third)
  }
}

/// A place of the sheet that lifts: a region, while there is an engine.
final class Spot {
  private unowned let sheet: Sheet
  private(set) var region: Region?
  var box = Box(0, 0, 0, 0) {
    didSet { region?.frame = box.pixels(sheet.app.scale) }
  }

  init(_ sheet: Sheet) { self.sheet = sheet }

  func connect(_ client: Client, _ delegate: any DragInteractionDelegate) {
    let region = Region(client: client, window: sheet.window.number, frame: box.pixels(sheet.app.scale))
    region.onTouchCancelled = { [unowned sheet] in sheet.window.touchCancelled($0) }
    region.addInteraction(DragInteraction(delegate: delegate))
    self.region = region
  }

  /// A target of which the middle lies at a place of the window, in units of the kit.
  func target(_ p: Point) -> DragPreviewTarget? {
    guard let region else { return nil }
    let scale = sheet.app.scale
    return DragPreviewTarget(
      container: region,
      center: Point(x: p.x * scale - Double(region.frame.x), y: p.y * scale - Double(region.frame.y)))
  }
}

extension Picture {
  /// A promise of the picture.
  func provider(name: String) -> ItemProvider {
    let provider = ItemProvider(object: self)
    provider.suggestedName = name
    return provider
  }
}

extension DropOperation {
  /// For lines of JSON.
  var word: String {
    switch self {
    case .cancel: "cancel"
    case .forbidden: "forbidden"
    case .copy: "copy"
    case .move: "move"
    }
  }
}
