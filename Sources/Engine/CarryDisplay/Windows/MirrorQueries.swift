import CX11
import CarryModel

/// Requests to the X server about windows, and the replies in order.
///
/// They go through XCB, because Xlib can only ask and wait. Every request here is one of XCB's, so that the two
/// libraries do not pass the socket back and forth.
struct MirrorQueries {
  enum Answer {
    /// From the bottom up.
    case children(of: UInt32, [UInt32])
    case attributes(of: UInt32, isMapped: Bool, isInputOnly: Bool, visual: UInt32)
    /// There is no such window.
    case missing(UInt32)
    /// The process that created a window; 0 if the server does not know.
    case owner(of: UInt32, CInt)
    /// The window by which a window manager names itself, if there is one.
    case manager(UInt32?)
    /// Whether any client manages the root's children.
    case managesRoot(Bool)
    /// The rectangle has the border's corner and the inside's size.
    case geometry(of: UInt32, Rect, border: Int32)
    case shape(of: UInt32, ShapeStore.Kind, [Rect])
  }

  private enum Kind { case children, attributes, geometry, bounding, input, existence, owner, manager, root }

  private struct Question {
    var kind: Kind
    var window: UInt32
    var sequence: UInt32
  }

  private let connection: OpaquePointer
  private var questions: [Question] = []
  private var head = 0
  private var fetched: UnsafeMutableRawPointer?
  private var isFetched = false

  init(_ connection: OpaquePointer) { self.connection = connection }

  var isEmpty: Bool { head == questions.count }
  /// The number of pending replies.
  var count: Int { questions.count - head }

  // MARK: Requests

  /// Selects the events of a window's children, then requests the existing children.
  mutating func askChildren(_ window: UInt32, selecting mask: UInt32 = UInt32(SubstructureNotifyMask)) {
    var mask = mask
    xcb_change_window_attributes(connection, window, UInt32(XCB_CW_EVENT_MASK.rawValue), &mask)
    push(.children, window, xcb_query_tree(connection, window).sequence)
  }

  /// Requests everything about a window; for a new window, only what its event did not contain.
  mutating func askAll(_ window: UInt32, isNew: Bool = false) {
    xcb_shape_select_input(connection, window, 1)
    // No event reports the kind of a window.
    push(.attributes, window, xcb_get_window_attributes(connection, window).sequence)
    if !isNew { push(.geometry, window, xcb_get_geometry(connection, window).sequence) }
    askShape(window)
    askChildren(window)
  }

  /// Requests the state of a window whose events have been selected already.
  mutating func askState(_ window: UInt32) {
    push(.attributes, window, xcb_get_window_attributes(connection, window).sequence)
    push(.geometry, window, xcb_get_geometry(connection, window).sequence)
    askShape(window)
  }

  mutating func askShape(_ window: UInt32) {
    push(.bounding, window, xcb_shape_get_rectangles(connection, window, UInt8(ShapeBounding)).sequence)
    push(.input, window, xcb_shape_get_rectangles(connection, window, UInt8(ShapeInput)).sequence)
  }

  /// Asks whether a window exists, and of what kind it is.
  mutating func askExistence(_ window: UInt32) {
    push(.existence, window, xcb_get_window_attributes(connection, window).sequence)
  }

  /// Asks which process created a window.
  mutating func askOwner(_ window: UInt32) { push(.owner, window, cx11_ask_owner(connection, window)) }

  /// Asks which window a property of this window names and, for the root, whether any client manages the root's
  /// children.
  mutating func askManager(_ window: UInt32, _ property: UInt32, isRoot: Bool) {
    if isRoot { push(.root, window, xcb_get_window_attributes(connection, window).sequence) }
    let any = UInt32(XCB_GET_PROPERTY_TYPE_ANY.rawValue)
    push(.manager, window, xcb_get_property(connection, 0, window, property, any, 0, 1).sequence)
  }

  private mutating func push(_ kind: Kind, _ window: UInt32, _ sequence: UInt32) {
    questions.append(Question(kind: kind, window: window, sequence: sequence))
  }

  // MARK: Replies

  /// The next reply, if the server sent it before it made an event with this sequence number.
  mutating func take(before sequence: UInt32) -> Answer? {
    while head < questions.count, Int32(bitPattern: questions[head].sequence &- sequence) <= 0 {
      if !isFetched, !fetch() {
        // The server sent this reply before an event that has already arrived, so this does not wait.
        isFetched = true
        fetched = xcb_wait_for_reply(connection, questions[head].sequence, nil)
      }
      if let answer = takeFetched() { return answer }
    }
    return nil
  }

  /// Looks for the next reply without waiting; returns true if it has arrived, even if it is an error.
  mutating func fetch() -> Bool {
    guard !isFetched, head < questions.count else { return isFetched }
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    guard xcb_poll_for_reply(connection, questions[head].sequence, &fetched, &error) != 0 else { return false }
    cx11_free(error)  // The window is gone; its DestroyNotify reports this, too.
    isFetched = true
    return true
  }

  mutating func takeFetched() -> Answer? {
    guard isFetched, head < questions.count else { return nil }
    let question = questions[head]
    let reply = fetched
    fetched = nil
    isFetched = false
    head += 1
    if head == questions.count {
      questions.removeAll(keepingCapacity: questions.count < 256)
      head = 0
    }
    defer { cx11_free(reply) }
    guard let reply else {
      switch question.kind {
      case .existence: return .missing(question.window)
      case .owner: return .owner(of: question.window, 0)
      case .manager: return .manager(nil)
      default: return nil
      }
    }
    return Self.read(question, reply)
  }

  private static func read(_ q: Question, _ reply: UnsafeMutableRawPointer) -> Answer? {
    switch q.kind {
    case .children:
      let tree = reply.assumingMemoryBound(to: xcb_query_tree_reply_t.self)
      let list = UnsafeBufferPointer(
        start: xcb_query_tree_children(tree), count: Int(xcb_query_tree_children_length(tree)))
      return .children(of: q.window, Array(list))
    case .attributes, .existence, .root:
      let a = reply.assumingMemoryBound(to: xcb_get_window_attributes_reply_t.self).pointee
      if q.kind == .root { return .managesRoot(a.all_event_masks & UInt32(SubstructureRedirectMask) != 0) }
      return .attributes(
        of: q.window, isMapped: UInt32(a.map_state) != XCB_MAP_STATE_UNMAPPED.rawValue,
        isInputOnly: CInt(a._class) == InputOnly, visual: a.visual)
    case .owner:
      return .owner(of: q.window, cx11_owner(reply))
    case .manager:
      let p = reply.assumingMemoryBound(to: xcb_get_property_reply_t.self)
      guard p.pointee.format == 32, xcb_get_property_value_length(p) >= 4 else { return .manager(nil) }
      return .manager(xcb_get_property_value(p).loadUnaligned(as: UInt32.self))
    case .geometry:
      let g = reply.assumingMemoryBound(to: xcb_get_geometry_reply_t.self).pointee
      let frame = Rect(x: Double(g.x), y: Double(g.y), width: Double(g.width), height: Double(g.height))
      return .geometry(of: q.window, frame, border: Int32(g.border_width))
    case .bounding, .input:
      let s = reply.assumingMemoryBound(to: xcb_shape_get_rectangles_reply_t.self)
      let rects = UnsafeBufferPointer(
        start: xcb_shape_get_rectangles_rectangles(s), count: Int(xcb_shape_get_rectangles_rectangles_length(s)))
      return .shape(
        of: q.window, q.kind == .bounding ? .bounding : .input,
        rects.map { Rect(x: Double($0.x), y: Double($0.y), width: Double($0.width), height: Double($0.height)) })
    }
  }
}
