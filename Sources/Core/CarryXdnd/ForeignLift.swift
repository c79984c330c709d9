package import CarryModel

/// A lift out of an application unaware of Carry: starts the application's own drag with the mouse button, and takes
/// it over before it has moved. A pure state machine.
///
///     pressed ──owner within 150 ms──▶ begun ──position──▶ shown ──picture is whole──▶ let go ──drop──▶ fetching ──▶ over
///        │                               │ no position                                   │ no drop
///        └─none: let go where it harms least ──▶ over ◀──────────────────────────────────┴── within a second
///
/// The window that accepts the drag appears only once the selection has a new owner, since a window manager may hold
/// the press back for a moment and deliver it to whatever is under the pointer then. The button is released only once
/// a position was answered, since some applications start slowly and would lose the drag.
package struct ForeignLift: Sendable {
  /// An action to carry out, in order.
  package enum Effect: Equatable, Sendable {
    /// Put the pointer at the point and press the button.
    case press(Point)
    /// Move the pointer, in pixels of the screen.
    case point(Point)
    /// Nothing drags here: release the button where it does the least harm, and put the pointer back.
    case letGo
    /// The application drags: take over the touch.
    case takeTouch
    /// Show the window that accepts the drag under the pointer.
    case open
    /// Tell the application that it may drop a copy.
    case accept
    /// Capture the picture that the application shows; `seen` follows.
    case look
    /// Keep the picture that was captured last.
    case takePicture
    /// Release the button.
    case release
    /// Hide the window and put the pointer back.
    case close
    /// Convert the selection to the type of this index; `fetched` follows.
    case fetch(Int)
    /// Tell the application that its drop is over.
    case finish(taken: Bool)
    /// The last effect.
    ///
    /// - Parameter lifted: Whether there is a drag to continue.
    case end(lifted: Bool)
  }

  /// The application's picture at one moment.
  package struct Sight: Equatable, Sendable {
    /// The longer side, in points.
    private let side: Double
    /// A hash of the contents.
    private let print: UInt64

    /// - Parameters:
    ///   - width: pixels.
    ///   - scale: the desktop's scale.
    package init(width: Int, height: Int, scale: Double = 1, print: UInt64) {
      side = Double(max(width, height)) / scale
      self.print = print
    }

    /// Whether a larger one may follow, and a fingertip hides all of it.
    package var isSmall: Bool { side < 40 }
    /// Whether a fingertip hides so much of it that a card with the name is shown instead. The icons of file managers
    /// have 48 or 64 pixels.
    package var isIcon: Bool { side < 72 }
  }

  private enum Phase {
    /// `atLast` allows for a busy machine, where the pointer moves late.
    case pressed(until: Instant, atLast: Instant)
    case begun(until: Instant)
    /// GTK shows a picture of 24 pixels first and the full one some frames later. It disappears when the button is
    /// released.
    case shown(Sight?, unchangedSince: Instant, began: Instant)
    case released(until: Instant)
    case fetching(Int, until: Instant)
    case over
  }

  /// Where the button is pressed, in pixels of the screen.
  private let origin: Point
  /// The offset between two motions.
  private let step: Point
  private var steps = 0
  private var nextStep: Instant?
  private var phase: Phase
  /// The number of types to fetch.
  private var types = 0

  /// How long the application has to begin a drag.
  package static let trial = Interval.milliseconds(150)
  /// How long it has after the pointer has moved far enough, which is late on a busy machine, and the limit for both.
  static let reaction = Interval.milliseconds(100)
  static let longestTrial = Interval.milliseconds(300)
  /// The timeout for its first position, and then for its drop.
  static let answer = Interval.seconds(1)
  /// The timeout for all its data: Chromium discards its drag after a second.
  static let fetching = Interval.milliseconds(900)
  static let pace = Interval.milliseconds(8)
  /// How long a picture has to stay unchanged: two frames.
  static let settles = Interval.milliseconds(32)
  /// How long it may be small or change. Some applications have no larger one.
  static let grows = Interval.milliseconds(100)
  /// How long it may be missing. Some applications show none.
  static let appears = Interval.milliseconds(40)
  /// The length of a step in pixels, and the number of steps before the pointer only alternates.
  private static let stride = 3.0
  private static let maxSteps = 8
  /// After this many steps every toolkit that supports dragging has begun.
  private static let enoughSteps = 6
  /// The distance of the press from the finger, in pixels. If nothing lifts, the application gets the touch a moment
  /// later; in the same place the two would be a double click, which opens files. Toolkits count presses up to 5 px
  /// apart as a double click.
  private static let beside = 6.0

  /// Presses the button.
  ///
  /// - Parameters:
  ///   - finger: In pixels of the screen.
  ///   - middle: The centre of the window, towards which the pointer moves.
  package init(at finger: Point, towards middle: Point, at now: Instant, into effects: inout [Effect]) {
    origin = Self.place(under: finger, towards: middle)
    let (x, y) = (middle.x - origin.x, middle.y - origin.y)
    let distance = (x * x + y * y).squareRoot()
    step =
      distance < Self.stride * Double(Self.maxSteps)
      ? Point(x: Self.stride, y: 0) : Point(x: x / distance * Self.stride, y: y / distance * Self.stride)
    phase = .pressed(until: now + Self.trial, atLast: now + Self.longestTrial)
    nextStep = now + Self.pace
    effects.append(.press(origin))
  }

  /// Where the button is pressed for a finger: beside it and not below, since rows are wide.
  package static func place(under finger: Point, towards middle: Point) -> Point {
    Point(x: finger.x + (middle.x < finger.x ? -beside : beside), y: finger.y)
  }

  package var isOver: Bool { if case .over = phase { true } else { false } }

  /// Whether the application has begun to drag.
  package var hasBegun: Bool {
    switch phase {
    case .pressed: false
    case .begun, .shown, .released, .fetching, .over: true
    }
  }

  /// Whether the application may still send Enter. Later its types would differ from those counted.
  package var mayEnter: Bool { if case .begun = phase { true } else { false } }

  // MARK: From the application

  /// The application has become the owner of the XDND selection: it drags.
  package mutating func owned(at now: Instant, into effects: inout [Effect]) {
    guard case .pressed = phase else { return }
    phase = .begun(until: now + Self.answer)
    effects += [.takeTouch, .open]
  }

  /// The drag is over the window that accepts it.
  ///
  /// - Parameter types: The number of its types that are wanted.
  package mutating func position(types: Int, at now: Instant, into effects: inout [Effect]) {
    switch phase {
    case .begun where types > 0:
      self.types = types
      phase = .shown(nil, unchangedSince: now, began: now)
      nextStep = nil
      effects += [.accept, .look]
    case .begun: end(with: [.release, .close], into: &effects)
    case .shown, .released: effects.append(.accept)
    case .pressed, .fetching, .over: break
    }
  }

  /// Handles the picture captured for `look`.
  ///
  /// - Parameter sight: Nil if nothing is shown yet.
  package mutating func seen(_ sight: Sight?, at now: Instant, into effects: inout [Effect]) {
    guard case .shown(let last, var since, let began) = phase else { return }
    if sight != last { since = now }
    let isWhole = sight.map { !$0.isSmall && now - since >= Self.settles } ?? (now - began >= Self.appears)
    guard isWhole || now - began >= Self.grows else {
      phase = .shown(sight, unchangedSince: since, began: began)
      nextStep = now + Self.pace
      return
    }
    phase = .released(until: now + Self.answer)
    nextStep = nil
    effects += [.takePicture, .release]
  }

  /// The application drops.
  package mutating func dropped(at now: Instant, into effects: inout [Effect]) {
    guard case .released = phase else { return }
    phase = .fetching(0, until: now + Self.fetching)
    effects += [.close, .fetch(0)]
  }

  /// The data of the type requested last has arrived, or will not arrive.
  package mutating func fetched(into effects: inout [Effect]) {
    guard case .fetching(let i, let until) = phase else { return }
    guard i + 1 < types else { return end(with: [.finish(taken: true)], lifted: true, into: &effects) }
    phase = .fetching(i + 1, until: until)
    effects.append(.fetch(i + 1))
  }

  /// The application's window is gone, or the lift is cancelled.
  package mutating func abandon(into effects: inout [Effect]) {
    switch phase {
    case .pressed: end(with: [.letGo], into: &effects)
    case .begun, .shown: end(with: [.release, .close], into: &effects)
    case .released: end(with: [.close, .finish(taken: false)], into: &effects)
    case .fetching: end(with: [.finish(taken: false)], into: &effects)
    case .over: break
    }
  }

  // MARK: Time

  package var nextDeadline: Instant? {
    switch phase {
    case .pressed(let until, _), .begun(let until), .released(let until), .fetching(_, let until):
      .earliest(until, nextStep)
    case .shown: nextStep
    case .over: nil
    }
  }

  package mutating func advance(to now: Instant, into effects: inout [Effect]) {
    if case .shown = phase {
      if let due = nextStep, due <= now {
        nextStep = nil
        effects.append(.look)
      }
      return
    }
    // Motions come first: on a busy machine they may be due together with the end.
    while let due = nextStep, due <= now { move(at: due, now, into: &effects) }
    switch phase {
    case .pressed(let until, _) where until <= now: end(with: [.letGo], into: &effects)
    case .begun(let until) where until <= now: end(with: [.release, .close], into: &effects)
    case .released(let until) where until <= now: end(with: [.close], into: &effects)
    // Keep the data that has arrived.
    case .fetching(_, let until) where until <= now:
      end(with: [.finish(taken: true)], lifted: true, into: &effects)
    case .pressed, .begun, .shown, .released, .fetching, .over: break
    }
  }

  private mutating func move(at due: Instant, _ now: Instant, into effects: inout [Effect]) {
    steps += 1
    // Sources report their position only when the pointer moves. Steps missed while alternating are not repeated.
    nextStep = (steps < Self.maxSteps ? due : now) + Self.pace
    let reach = steps <= Self.maxSteps ? Double(steps) : Double(Self.maxSteps) - Double(steps % 2) / 3
    effects.append(.point(Point(x: origin.x + step.x * reach, y: origin.y + step.y * reach)))
    if steps == Self.enoughSteps, case .pressed(let until, let atLast) = phase {
      phase = .pressed(until: max(until, min(now + Self.reaction, atLast)), atLast: atLast)
    }
  }

  private mutating func end(with last: [Effect], lifted: Bool = false, into effects: inout [Effect]) {
    phase = .over
    nextStep = nil
    effects += last + [.end(lifted: lifted)]
  }
}

extension ForeignTypes {
  /// The offers to fetch when a lift is taken over, each source type once: the best first, and potentially large ones
  /// last, since Chromium never answers requests for large data.
  package var forLift: [Offer] {
    let wanted = offers.filter { Self.rank($0.type) != nil && $0.decoding != .portal }
    let ranked = wanted.enumerated().sorted {
      (Self.rank($0.element.type) ?? 0, $0.offset) < (Self.rank($1.element.type) ?? 0, $1.offset)
    }
    var known: Set<String> = []
    return ranked.map(\.element).filter { known.insert($0.sources[0].name).inserted }.prefix(Self.maxOfLift).map { $0 }
  }

  private static let maxOfLift = 12

  /// Nil for types not fetched, which may be meaningful only to their own program.
  private static func rank(_ type: String) -> Int? {
    if type == XdndOffer.uriList { return 0 }
    if type == text { return 1 }
    if type.hasPrefix("text/") || type == "application/rtf" || type == "application/x-color" { return 2 }
    if type.hasPrefix("image/") || type == "application/pdf" { return 3 }
    return nil
  }
}
