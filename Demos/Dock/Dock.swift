import Carry
import DemoKit

/// The app: icons in a row at the bottom of the screen. A click, a tap, Enter, or a drag that hovers over one starts
/// its program, or brings its window to the front.
///
/// What is carried never becomes part of a command: the dock takes no drops.
final class Dock: WindowContent {
  /// An icon with what there is of its program.
  final class Icon {
    let entry: Entry
    var picture: Picture?
    /// The program when it was started here, and its window when there is one.
    var process: Int32?
    var window: UInt32?
    var glow = Animation(0)
    var size = Animation(1)
    var spring = SpringLoadedInteraction.State.inactive
    /// Since when it hops: its window is not there yet.
    var launched: Double?
    /// Where its window goes once it is there.
    var side: Half.Side?

    init(_ entry: Entry) { self.entry = entry }
  }

  static let side = 58.0
  private static let gap = 20.0
  private static let margin = 18.0
  static let height = 104.0
  /// How much is seen of a dock that hides.
  private static let strip = 14.0

  let app: App
  private(set) var window: Window
  private let report: Report
  private let desktop: Desktop
  let icons: [Icon]
  private var surface: Surface?
  private var selection: Int?
  private var pressed: [PointerEvent.Source: Int] = [:]
  private var hovered: Int?
  private var willLook = false

  /// Whether it lies below the edge of the screen until it is swiped up.
  private let hides: Bool
  private(set) var isUp: Bool
  /// How far it has come up, 0 to 1.
  private var rise: Animation
  /// Its place when it is up, in pixels.
  private var place = (x: 0, y: 0)
  /// Where fingers came down that may swipe it.
  private var swipes: [PointerEvent.Source: Double] = [:]
  /// The windows of a split.
  private var halves: [Half.Side: UInt32] = [:]

  init(_ app: App, _ options: Program.Options, _ entries: [Entry]) {
    self.app = app
    report = Report(isOn: options.json)
    desktop = Desktop(app)
    hides = options.flags.contains("--hides")
    isUp = !hides
    rise = Animation(hides ? 0 : 1)
    icons = entries.map { Icon($0) }
    let count = Double(max(1, icons.count))
    let width = count * Self.side + (count - 1) * Self.gap + 2 * Self.margin
    let screen = desktop.size
    var geometry = options.geometry
    if geometry == nil {
      let k = app.scale
      geometry = WindowGeometry("\(Int(width * k))x\(Int(Self.height * k))")
      geometry?.x = Int((screen.width - width) / 2 * k)
      geometry?.y = Int((screen.height - Self.height - 8) * k)
    }
    place = (geometry?.x ?? 0, geometry?.y ?? 0)
    // Other windows leave room for what is always seen.
    if hides { geometry?.y = Int((screen.height - Self.strip) * app.scale) }
    window = Window(
      app.display, title: "Dock", program: "carry-dock", width: width, height: Self.height, geometry: geometry,
      kind: .dock)
    window.content = self
    for icon in icons { icon.picture = Self.picture(of: icon.entry) }
    app.engine.onReady = { [unowned self] client in surface = Surface(self, client) }
    app.engine.onConnected = { [unowned self] in
      report.say("connected")
      window.redraw()
    }
    app.engine.onLost = { [unowned self] in
      for i in icons.indices { spring(i, .inactive) }
      report.say("disconnected")
    }
    desktop.watch { [unowned self] in look(after: 0.1) }
    window.show()
    look(after: 0)
    report.say("ready", ("icons", .list(icons.map(\.entry.name))))
  }

  private static func picture(of entry: Entry) -> Picture? {
    if let path = entry.icon, let bytes = Program.read(path, limit: 16 << 20), let found = Picture.decode(bytes) {
      return found.picture
    }
    return Picture(width: 256, height: 256) { c in
      c.scale(4)
      switch entry.program {
      case "carry-pinboard": DemoKit.Icon.pinboard(on: c)
      case "carry-notes": DemoKit.Icon.notes(on: c)
      case "carry-letter", "carry-mail": DemoKit.Icon.envelope(on: c)
      case "carry-drag-source": DemoKit.Icon.dragSource(on: c)
      case "carry-drop-destination": DemoKit.Icon.dropDestination(on: c)
      default: DemoKit.Icon.letter(entry.name, on: c)
      }
    }
  }

  // MARK: Programs and their windows

  /// Starts an icon's program, or brings its window to the front.
  func open(_ i: Int, _ how: String) {
    let icon = icons[i]
    if let window = icon.window {
      desktop.activate(window)
      show(false)
      report.say("raised", ("name", .text(icon.entry.name)), ("by", .text(how)))
      return
    }
    if isOnItsWay(icon) { return }
    var words = icon.entry.words
    // Our own programs lie beside this one.
    let beside = Program.folder + "/" + (words.first ?? "")
    if let name = words.first, !name.contains("/"), Program.exists(beside) { words[0] = beside }
    guard let process = Program.start(words) else {
      report.say("failed", ("name", .text(icon.entry.name)))
      return Program.write("\(icon.entry.name): \(words[0]) cannot be started\n", to: 2)
    }
    icon.process = process
    icon.launched = app.now
    report.say("launched", ("name", .text(icon.entry.name)), ("by", .text(how)))
    window.redraw()
    look(after: icon.side == nil ? 1 : 0.05)
  }

  private func isOnItsWay(_ icon: Icon) -> Bool { icon.launched.map { app.now - $0 < 10 } ?? false }

  /// Looks for the windows a little later: changes come in swarms.
  private func look(after seconds: Double) {
    guard !willLook else { return }
    willLook = true
    app.after(seconds) { [weak self] in
      self?.willLook = false
      self?.look()
    }
  }

  private func look() {
    let ended = Program.takeEnded()
    let entries = desktop.entries
    for (i, icon) in icons.enumerated() {
      if let process = icon.process, ended.contains(process) { icon.process = nil }
      let found = entries.last {
        icon.process != nil && $0.process == icon.process || !$0.program.isEmpty && $0.program == icon.entry.program
      }
      if let id = found?.window { desktop.setIconPlace(box(of: i), of: window, for: id) }
      // Some programs have no window, or one that is known by another name.
      if found != nil || icon.process == nil || !isOnItsWay(icon) { icon.launched = nil }
      guard found?.window != icon.window else { continue }
      icon.window = found?.window
      report.say(icon.window == nil ? "window-gone" : "window", ("name", .text(icon.entry.name)))
      if icon.window != nil {
        show(false)
        moveToHalf(icon)
      }
      window.redraw()
    }
    // A window that goes to a half of the screen is not to be seen elsewhere for long.
    let isSplitting = icons.contains { $0.launched != nil && $0.side != nil }
    if icons.contains(where: { $0.launched != nil }) { look(after: isSplitting ? 0.05 : 0.5) }
  }

  // MARK: Splits

  /// Opens an icon's window on a half of the screen. The window in front goes to the other half, unless that has one.
  func split(_ i: Int, _ side: Half.Side) {
    let icon = icons[i]
    let present = Set(desktop.entries.map(\.window))
    halves = halves.filter { $0.key != side && $0.value != icon.window && present.contains($0.value) }
    let other: Half.Side = side == .left ? .right : .left
    if halves[other] == nil, let front = desktop.front(besides: icon.window) {
      halves[other] = front
      desktop.place(front, at: frame(of: other).pixels(app.scale))
    }
    icon.side = side
    open(i, "split")
    moveToHalf(icon)
  }

  /// Puts the window of an icon that was dropped on a half of the screen there, once there is a window.
  private func moveToHalf(_ icon: Icon) {
    guard let side = icon.side, let window = icon.window else { return }
    icon.side = nil
    halves[side] = window
    desktop.place(window, at: frame(of: side).pixels(app.scale))
    report.say("split", ("name", .text(icon.entry.name)), ("side", .text(side.rawValue)))
  }

  /// A half of the screen, without what is always seen of the dock.
  func frame(of side: Half.Side) -> Box {
    let (gap, screen) = (14.0, desktop.size)
    let width = (screen.width - 3 * gap) / 2
    let room = hides ? Self.strip : Self.height + 8
    return Box(side == .left ? gap : 2 * gap + width, gap, width, screen.height - 2 * gap - room)
  }

  // MARK: Looks

  /// Has a dock that hides come up, or go down.
  func show(_ isShown: Bool) {
    guard hides, isShown != isUp else { return }
    isUp = isShown
    rise.go(to: isUp ? 1 : 0, at: app.now, over: 0.28)
    if isUp { window.raise() }
    surface?.follow()
    report.say(isUp ? "up" : "down")
    window.redraw()
    look(after: 0.4)
  }

  private func move() {
    let hidden = (desktop.size.height - Self.strip) * app.scale
    window.move(to: place.x, Int(hidden + (Double(place.y) - hidden) * rise.value(at: app.now)))
  }

  /// An icon's place, with its name.
  func box(of i: Int) -> Box {
    Box(Self.margin + Double(i) * (Self.side + Self.gap), 14, Self.side, Self.side)
  }

  func spring(_ i: Int, _ state: SpringLoadedInteraction.State) {
    let icon = icons[i]
    icon.spring = state
    let isLit = state == .possible || state == .activating
    icon.glow.go(to: isLit ? 1 : 0, at: app.now, over: 0.18)
    icon.size.go(to: isLit ? 1.12 : 1, at: app.now, over: 0.18)
    if state != .inactive { report.say("spring-\(state)", ("name", .text(icon.entry.name))) }
    window.redraw()
  }

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let all = Box(0, 0, size.width, size.height)
    c.clear(window.isTranslucent ? Color(0, 0, 0, 0) : Color(0x262B35))
    let panel = window.isTranslucent ? all : all.inset(-1)
    c.fill(panel, radius: window.isTranslucent ? 22 : 0, from: Color(0x39414F, 0.80), to: Color(0x222732, 0.86))
    c.stroke(panel.inset(0.75), radius: 21, Color.white.faded(0.16), width: 1.2)
    var moves = false
    if hides {
      move()
      moves = !rise.isOver(at: app.now)
      c.fill(Box(size.width / 2 - 30, 5, 60, 4), radius: 2, Color.white.faded(0.7))
    }
    for (i, icon) in icons.enumerated() {
      drawIcon(icon, i, on: c)
      moves =
        moves || icon.launched != nil || icon.spring == .activating || !icon.glow.isOver(at: app.now)
        || !icon.size.isOver(at: app.now)
    }
    if !app.engine.isConnected {
      // No room for a sentence: a dot beside the rim.
      c.circle(Point(x: all.maxX - 12, y: 12), radius: 3.5)
      c.fillPath(Color(0xE0A12E))
    }
    if moves { window.animate() }
  }

  private func drawIcon(_ icon: Icon, _ i: Int, on c: Canvas) {
    let now = app.now
    var box = box(of: i)
    // It hops until its window is there.
    if let launched = icon.launched {
      let t = ((now - launched) * 1.6).truncatingRemainder(dividingBy: 1)
      box = box.moved(0, -9 * 4 * t * (1 - t))
    }
    let glow = icon.glow.value(at: now)
    let flash = icon.spring == .activating && Int(now * 9) % 2 == 0
    if glow > 0 { c.fill(box.inset(-7), radius: 19, Color.white.faded((flash ? 0.55 : 0.24) * glow)) }
    c.saved {
      c.translate(box.center.x, box.center.y)
      c.scale(icon.size.value(at: now))
      let square = Box(-Self.side / 2, -Self.side / 2, Self.side, Self.side)
      c.shadow(square.inset(4), radius: 12, blur: 9, drop: 2.5, 0.35)
      if let picture = icon.picture { c.draw(picture, filling: square) }
      let isPressed = pressed.values.contains(i)
      if isPressed || flash { c.fill(square.inset(3.5), radius: 12, Color(flash ? 0xFFFFFF : 0x000000, 0.28)) }
    }
    if selection == i, window.isFocused { c.stroke(box.inset(-5), radius: 17, Color.white.faded(0.9), width: 2) }
    let isHovered = hovered == i
    let name = Box(box.x - Self.gap / 2, 74, Self.side + Self.gap, 17)
    c.draw(
      icon.entry.name, TextStyle(11.5, .medium, color: Color.white.faded(isHovered || glow > 0 ? 1 : 0.82)),
      centeredIn: name)
    if icon.window != nil {
      c.fill(Box(name.center.x - 7, 94, 14, 3), radius: 1.5, Color(0x8FC7FF))
    }
  }

  // MARK: Mouse, fingers and keys

  private func icon(at p: Point) -> Int? {
    icons.indices.first { Box(box(of: $0).x - 9, 4, Self.side + 18, Self.height - 8).contains(p) }
  }

  /// Swiping up or tapping what is seen of a hidden dock brings it up; swiping down hides it.
  ///
  /// - Returns: whether that was what the finger did.
  private func swipe(_ e: PointerEvent) -> Bool {
    switch e.phase {
    case .began: swipes[e.source] = e.place.y
    case .moved:
      guard let start = swipes[e.source], abs(e.place.y - start) > 10 else { return false }
      swipes[e.source] = nil
      pressed[e.source] = nil
      show(e.place.y < start)
      return true
    case .ended:
      guard swipes.removeValue(forKey: e.source) != nil, !isUp else { return false }
      show(true)
      return true
    case .cancelled: swipes[e.source] = nil
    case .hovered, .left, .scrolled: break
    }
    return false
  }

  func pointer(_ e: PointerEvent) {
    if hides, swipe(e) { return }
    switch e.phase {
    case .began:
      window.takeFocus()
      pressed[e.source] = isUp ? icon(at: e.place) : nil
    case .ended:
      guard let i = pressed.removeValue(forKey: e.source), icon(at: e.place) == i else { break }
      open(i, e.isTouch ? "tap" : "click")
    case .cancelled: pressed[e.source] = nil
    case .hovered, .moved: hovered = e.isTouch ? nil : icon(at: e.place)
    case .left: hovered = nil
    case .scrolled: return
    }
    window.redraw()
  }

  func key(_ e: KeyEvent) {
    guard !icons.isEmpty else { return }
    switch e.key {
    case .left: selection = ((selection ?? 0) + icons.count - 1) % icons.count
    case .right, .tab: selection = selection.map { ($0 + 1) % icons.count } ?? 0
    case .home: selection = 0
    case .end: selection = icons.count - 1
    case .enter, .text(" "): if let selection { open(selection, "key") }
    case .escape: selection = nil
    default: return
    }
    window.redraw()
  }

  func focusChanged() { window.redraw() }
  func closed() { app.stop() }
}
