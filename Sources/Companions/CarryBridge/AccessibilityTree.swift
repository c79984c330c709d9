import CAtspi
import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryX
import CarryXdnd
import Synchronization

/// Asks the accessibility tree whether a press may be tried. A timeout forbids the press only in browsers, which are
/// known to have a tree.
final class AccessibilityTree {
  private let client: Client
  private let x: XConnection
  /// The processes asked so far, and whether each is a browser. Some programs build their tree only after the first
  /// query.
  private var asked: [Int32: Bool] = [:]
  /// The processes that have reported an element at a point, or still reported none after `waking`.
  private var awake: Set<Int32> = []

  private static let maxAsked = 256
  /// The location under which threads blocked on the bus are counted.
  private static let place = "accessibility bus/"

  init(_ client: Client, _ x: XConnection) { (self.client, self.x) = (client, x) }

  /// Determines whether a press may be tried.
  ///
  /// - Parameters:
  ///   - point: In pixels of the screen.
  ///   - frame: The window's frame.
  ///   - completion: Called once, now or soon; never with `liftSelection`.
  func judge(
    _ point: CarryModel.Point, in window: UInt32, _ frame: CarryModel.Rect,
    completion: @escaping (LiftVeto.Judgement) -> Void
  ) {
    guard let address = x.accessibilityBus, let process = x.process(of: window),
      let question = AccessibilityQuestion(
        about: point, in: frame, of: process, isBrowser: asked[process], isAwake: awake.contains(process))
    else { return completion(.lift) }
    let isBrowser = asked[process] ?? x.isBrowser(window)
    let unknown = { (isBrowser: Bool) in isBrowser ? LiftVeto.Judgement.leave(AccessibilityQuestion.asleep) : .lift }
    let isAsking = client.runBlocking(
      lookingAt: [Self.place], for: Limits.accessibilityAnswer, isQuiet: true, isUrgent: true
    ) {
      question.ask(at: address)
    } then: { [unowned self] answer in
      if asked.count >= Self.maxAsked { (asked, awake) = ([:], []) }
      asked[process] = question.isBrowser
      if question.isAwake { awake.insert(process) }
      if answer == nil {
        Log.debug("the accessibility tree does not answer in time")
        // Otherwise its thread would stay blocked and occupy a place.
        question.cancel()
      }
      completion((answer ?? nil) ?? unknown(question.isBrowser ?? isBrowser))
    }
    if !isAsking { completion(unknown(isBrowser)) }
  }
}

extension XConnection {
  /// The address of the accessibility bus that runs on this screen; nil if there is none. Asking the session bus for
  /// it would start one.
  fileprivate var accessibilityBus: String? {
    let bytes = XProperty.bytes(connection, XProperty.ask(connection, root, Atom(atom("AT_SPI_BUS")), most: 128)) ?? []
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Whether a window declares itself a browser's, as those of Firefox and Chromium do.
  fileprivate func isBrowser(_ window: UInt32) -> Bool {
    bytes(window, "WM_WINDOW_ROLE", most: 64) == Array("browser".utf8)
  }
}

/// A query about one point of the accessibility tree. It runs on its own thread, which may block; the bridge's thread
/// cancels it.
private final class AccessibilityQuestion: Sendable {
  private nonisolated(unsafe) let raw: OpaquePointer
  private let point: CarryModel.Point
  private let frame: CarryModel.Rect
  private let process: Int32
  /// 1 for a browser, 0 for another program; -1 while unknown.
  private let kind: Atomic<Int>
  var isBrowser: Bool? {
    let kind = kind.load(ordering: .relaxed)
    return kind < 0 ? nil : kind == 1
  }

  private let awake: Atomic<Bool>
  var isAwake: Bool { awake.load(ordering: .relaxed) }

  /// Why nothing is pressed in a browser that does not report what is at the point.
  static let asleep = "the browser does not describe this place yet"

  /// Upper bounds of the search: a program may have any number of windows, elements and selections.
  private static let maxPrograms = 128
  private static let maxWindows = 64
  private static let deepest = 32
  private static let maxAncestors = 48
  private static let maxTexts = 4
  private static let maxSelections: Int32 = 8
  /// How long after its first reply a program may report nothing at a point. Firefox builds the tree of its pages at
  /// the first query, which takes 15 ms. The remaining time is for the reply.
  private static let waking = Limits.accessibilityAnswer - .milliseconds(20)
  /// The polling interval meanwhile, in microseconds.
  private static let pause: UInt32 = 4000

  /// - Parameters:
  ///   - point: In pixels of the screen.
  ///   - frame: The frame of the X window.
  ///   - isBrowser: Nil while the program has not been asked.
  ///   - isAwake: Whether the program needs no more time to build its tree.
  init?(
    about point: CarryModel.Point, in frame: CarryModel.Rect, of process: Int32, isBrowser: Bool?, isAwake: Bool
  ) {
    awake = Atomic(isAwake)
    kind = Atomic(isBrowser.map { $0 ? 1 : 0 } ?? -1)
    guard let raw = catspi_create() else { return nil }
    (self.raw, self.point, self.frame, self.process) = (raw, point, frame, process)
  }

  /// The answer has been delivered by now. Closing the connection may block on GIO's thread, so another thread does
  /// it.
  deinit {
    nonisolated(unsafe) let raw = raw
    let end: @Sendable () -> Void = {
      catspi_disconnect(raw)
      catspi_destroy(raw)
    }
    do { try Worker.start(end) } catch { end() }
  }

  func cancel() { catspi_cancel(raw) }

  /// Queries the tree; blocks.
  ///
  /// - Returns: Nil if there is no answer.
  func ask(at address: String) -> LiftVeto.Judgement? {
    guard catspi_connect(raw, address), let (found, scale) = window() else { return nil }
    var window = found
    let (x, y) = (Int32(point.x / scale), Int32(point.y / scale))
    var deepest = deepest(in: window, x, y)
    let end = MonotonicClock.now() + Self.waking
    while !isAwake, !catspi_is_cancelled(raw), catspi_same(&deepest, &window), MonotonicClock.now() < end {
      usleep(Self.pause)
      deepest = self.deepest(in: window, x, y)
    }
    awake.store(true, ordering: .relaxed)
    if catspi_same(&deepest, &window), isBrowser == true { return .leave(Self.asleep) }
    let path = path(to: deepest)
    let judgement = LiftVeto.judgement(of: path.map(\.role))
    guard case .liftSelection(let otherwise) = judgement else { return judgement }
    return isSelected(path, x, y) ? .lift : .leave(otherwise)
  }

  private func children(of object: catspi_object, most: Int) -> [catspi_object] {
    [catspi_object](unsafeUninitializedCapacity: most) { buffer, count in
      count = withUnsafePointer(to: object) { catspi_children(raw, $0, buffer.baseAddress, most) }
    }
  }

  /// The program's window and its scale.
  private func window() -> (catspi_object, Double)? {
    var root = catspi_object()
    catspi_root(&root)
    var windows: [catspi_object] = []
    var frames: [CarryModel.Rect] = []
    for var one in children(of: root, most: Self.maxPrograms) where catspi_process(raw, &one) == process {
      // First of all: later queries may take long.
      if isBrowser == nil { kind.store(catspi_is_gecko(raw, &one) ? 1 : 0, ordering: .relaxed) }
      for var window in children(of: one, most: Self.maxWindows) {
        var extents: [Int32] = [0, 0, 0, 0]
        guard catspi_extents(raw, &window, &extents) else { continue }
        let e = extents.map(Double.init)
        windows.append(window)
        frames.append(CarryModel.Rect(x: e[0], y: e[1], width: e[2], height: e[3]))
      }
    }
    return AccessibleWindow(among: frames, nearest: frame).map { (windows[$0.index], $0.scale) }
  }

  /// The deepest element at a point. Some programs return it at once, others return the next child on the way.
  private func deepest(in window: catspi_object, _ x: Int32, _ y: Int32) -> catspi_object {
    var object = window
    for _ in 0..<Self.deepest {
      var found = catspi_object()
      guard catspi_at(raw, &object, x, y, &found), !catspi_same(&object, &found) else { break }
      object = found
    }
    return object
  }

  /// An element and its ancestors, up to its window.
  private func path(to object: catspi_object) -> [(object: catspi_object, role: AccessibleRole)] {
    var path: [(object: catspi_object, role: AccessibleRole)] = []
    var object = object
    for _ in 0..<Self.maxAncestors {
      var number: UInt32 = 0
      guard catspi_role(raw, &object, &number) else { break }
      let role = AccessibleRole(number: number)
      path.append((object, role))
      var parent = catspi_object()
      guard role != .frame, catspi_parent(raw, &object, &parent) else { break }
      object = parent
    }
    return path
  }

  /// Whether a point is in a selection. The innermost text decides: its ancestors count as fully selected as soon as
  /// a part is.
  private func isSelected(_ path: [(object: catspi_object, role: AccessibleRole)], _ x: Int32, _ y: Int32) -> Bool {
    for var (object, _) in path.prefix(Self.maxTexts) {
      var offset: Int32 = -1
      guard catspi_offset(raw, &object, x, y, &offset) else { continue }
      let count = min(max(0, catspi_selections(raw, &object)), Self.maxSelections)
      return (0..<count).contains { i in
        var range: [Int32] = [0, 0]
        return catspi_selection(raw, &object, i, &range) && range[0] <= offset && offset < range[1]
      }
    }
    return false
  }
}
