package import CarryModel
import CWayland
import CWaylandClient

/// An item that this application promises.
package final class WireItemProxy: WireObject {
  package var onLoad: (WireProvision, _ type: String) -> Void = { provision, _ in
    provision.fail("the item has no such representation")
  }

  override func listen(_ proxy: OpaquePointer) { carry_item_add_listener(proxy, Self.listener.pointer, data) }

  package func setName(_ name: String) {
    request(MessageSize.of(words: 0, name)) { carry_item_set_name($0, name) }
  }

  package func setPresentationSize(width: UInt32, height: UInt32) {
    request(MessageSize.of(words: 2)) { carry_item_set_presentation_size($0, width, height) }
  }

  package func addType(_ type: String) {
    request(MessageSize.of(words: 0, type)) { carry_item_add_type($0, type) }
  }

  /// Ends the promise.
  package func withdraw() {
    forget()
    request(MessageSize.of(words: 1)) { carry_item_withdraw($0, 0) }
  }

  override func forget() { onLoad = { provision, _ in provision.fail("the item is no longer offered") } }

  private static let listener = ListenerTable(
    carry_item_listener(
      withdrawn: { data, _, _ in target(data, WireItemProxy.self)?.end { carry_item_destroy($0) } },
      load: { data, _, provision, type in
        guard let provision, let o = target(data, WireItemProxy.self) else { return }
        o.onLoad(WireProvision(provision, o.objects), string(type))
      }))
}

/// A session that started in this application.
package final class WireDragSession: WireObject {
  /// How large the items' pictures are when the drag is cancelled: pixels, unscaled.
  private var carriedSizes: [(item: WireItemProxy, size: Size)] = []
  package var onLiftBegan: () -> Void = {}
  package var onLifted: () -> Void = {}
  package var onLiftEnded: (_ atEnd: Bool) -> Void = { _ in }
  /// What moves from now on; nil for all items.
  package var onMotion: (_ kind: UInt32, WireItemProxy?, WireMotion) -> Void = { _, _, _ in }
  /// To be answered with `setPreview`.
  package var onWantPreview: (WireItemProxy) -> Void = { _ in }
  /// To be answered with `setEnding` for some items, then `ending`.
  package var onWillCancel: (_ serial: UInt32) -> Void = { _ in }
  /// To be answered with `configure`.
  package var onWillBegin: (_ serial: UInt32, Point) -> Void = { _, _ in }
  package var onMove: (Point) -> Void = { _ in }
  package var onWillEnd: (DropOperation) -> Void = { _ in }
  package var onDidEnd: (DropOperation) -> Void = { _ in }
  package var onDidTransfer: (_ delivered: Int) -> Void = { _ in }
  /// The engine has forgotten the session.
  package var onGone: () -> Void = {}

  override func listen(_ proxy: OpaquePointer) { carry_drag_session_add_listener(proxy, Self.listener.pointer, data) }

  package func add(_ item: WireItemProxy) {
    request(MessageSize.of(words: 1)) { if let item = item.proxy { carry_drag_session_add_item($0, item) } }
  }

  package func setPreview(_ item: WireItemProxy, _ preview: WirePreview?) {
    request(MessageSize.of(words: 2)) {
      if let item = item.proxy { carry_drag_session_set_preview($0, item, preview?.proxy) }
    }
  }

  package func offerPreview(_ item: WireItemProxy) {
    request(MessageSize.of(words: 1)) { if let item = item.proxy { carry_drag_session_offer_preview($0, item) } }
  }

  package func setEnding(_ item: WireItemProxy, _ preview: WirePreview?) {
    request(MessageSize.of(words: 2)) {
      if let item = item.proxy { carry_drag_session_set_ending($0, item, preview?.proxy) }
    }
  }

  package func ending(serial: UInt32) { request(MessageSize.of(words: 1)) { carry_drag_session_ending($0, serial) } }

  package func answer(serial: UInt32) { request(MessageSize.of(words: 1)) { carry_drag_session_answer($0, serial) } }

  package func configure(serial: UInt32, _ wishes: SourceOptions) {
    var options: UInt32 = 0
    if wishes.allowsMove { options |= CARRY_DRAG_SESSION_OPTION_ALLOW_MOVE.rawValue }
    if wishes.isRestricted { options |= CARRY_DRAG_SESSION_OPTION_RESTRICTED.rawValue }
    if wishes.prefersFullSize { options |= CARRY_DRAG_SESSION_OPTION_FULL_SIZE.rawValue }
    request(MessageSize.of(words: 2)) { carry_drag_session_configure($0, serial, options) }
  }

  /// How large the picture of an item is that may be set down: pixels, unscaled. Nil before `onWillCancel`, and for an
  /// item that is not seen.
  package func carriedSize(of item: WireItemProxy) -> Size? { carriedSizes.first { $0.item === item }?.size }

  private func gone() {
    onGone()
    end { carry_drag_session_destroy($0) }
  }

  override func forget() {
    carriedSizes = []
    onLiftBegan = {}
    onMotion = { _, _, _ in }
    onWantPreview = { _ in }
    onWillCancel = { _ in }
    onLifted = {}
    onLiftEnded = { _ in }
    onWillBegin = { _, _ in }
    onMove = { _ in }
    onWillEnd = { _ in }
    onDidEnd = { _ in }
    onDidTransfer = { _ in }
    onGone = {}
  }

  private static let listener = ListenerTable(
    carry_drag_session_listener(
      lift_began: { data, _ in target(data, WireDragSession.self)?.onLiftBegan() },
      lifted: { data, _ in target(data, WireDragSession.self)?.onLifted() },
      lift_ended: { data, _, position in
        target(data, WireDragSession.self)?.onLiftEnded(position == CARRY_DRAG_SESSION_POSITION_END.rawValue)
      },
      will_begin: { data, _, serial, x, y in
        target(data, WireDragSession.self)?.onWillBegin(serial, point(x, y))
      },
      move: { data, _, serial, x, y in
        guard let o = target(data, WireDragSession.self) else { return }
        o.onMove(point(x, y))
        o.request(MessageSize.of(words: 1), newest: .moved) { carry_drag_session_moved($0, serial) }
      },
      will_end: { data, _, operation in
        target(data, WireDragSession.self)?.onWillEnd(DropOperation(rawValue: operation) ?? .cancel)
      },
      did_end: { data, _, operation in
        target(data, WireDragSession.self)?.onDidEnd(DropOperation(rawValue: operation) ?? .cancel)
      },
      did_transfer: { data, _, delivered in target(data, WireDragSession.self)?.onDidTransfer(Int(delivered)) },
      gone: { data, _ in target(data, WireDragSession.self)?.gone() },
      motion: { data, _, kind, item, seconds, microseconds, duration in
        target(data, WireDragSession.self)?.onMotion(
          kind, itemProxy(item), WireMotion(seconds: seconds, microseconds: microseconds, duration: duration))
      },
      want_preview: { data, _, item in
        if let item = itemProxy(item) { target(data, WireDragSession.self)?.onWantPreview(item) }
      },
      carried_size: { data, _, item, width, height in
        guard let o = target(data, WireDragSession.self), let item = itemProxy(item) else { return }
        o.carriedSizes.append((item, size(width, height)))
      },
      will_cancel: { data, _, serial in target(data, WireDragSession.self)?.onWillCancel(serial) }))
}

/// The item that an event's argument names; nil for none.
private func itemProxy(_ object: OpaquePointer?) -> WireItemProxy? {
  object.flatMap { wl_proxy_get_user_data($0) }.map {
    Unmanaged<WireItemProxy>.fromOpaque($0).takeUnretainedValue()
  }
}

/// One load that a destination started. Answer once; the descriptors stay the caller's.
package final class WireProvision: WireObject {
  /// Nobody waits any more.
  package var onCancelled: () -> Void = {}
  package var onDelivered: () -> Void = {}

  override func listen(_ proxy: OpaquePointer) { carry_provision_add_listener(proxy, Self.listener.pointer, data) }

  package func file(_ fd: CInt) { hand([fd]) { carry_provision_file($0, $1[0]) } }
  package func memory(_ fd: CInt) { hand([fd]) { carry_provision_memory($0, $1[0]) } }
  package func stream(_ fd: CInt) { hand([fd]) { carry_provision_stream($0, $1[0]) } }
  package func ring(memory: CInt, socket: CInt) {
    hand([memory, socket]) { carry_provision_ring($0, $1[0], $1[1]) }
  }

  private func hand(_ fds: [CInt], _ body: @escaping (OpaquePointer, [CInt]) -> Void) {
    guard !request(MessageSize.of(words: 0), with: fds, body) else { return }
    fail("too much of this source waits for the engine, which does not read")
  }

  /// The source is at work on the load, which is kept for it.
  package func progress(kibibytes: Int) {
    request(MessageSize.of(words: 1), newest: .progress) { carry_provision_progress($0, UInt32(clamping: kibibytes)) }
  }

  package func fail(_ message: String) {
    let text = SafeText.displayable(message)
    request(MessageSize.of(words: 0, text)) { carry_provision_fail($0, text) }
    finish()
  }

  /// The source is done with it.
  package func finish() { end { carry_provision_destroy($0) } }

  override func forget() {
    onCancelled = {}
    onDelivered = {}
  }

  private static let listener = ListenerTable(
    carry_provision_listener(
      cancelled: { data, _ in
        guard let o = target(data, WireProvision.self) else { return }
        o.onCancelled()
        o.finish()
      },
      delivered: { data, _ in
        guard let o = target(data, WireProvision.self) else { return }
        o.onDelivered()
        o.finish()
      }))
}
