import CCarry
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// How things look, through the C interface.
@Suite(.serialized) struct PreviewTests {
  /// What the previews and animators of one drag did.
  private final class Looks {
    var statuses: [String: Int32] = [:]
    var refusals: [String] = []
    var previews: [OpaquePointer?] = []
    var fractions: [Double] = []
    var completed: [Int32] = []
    var provided = 0
    /// What is seen of each item, as it lands or goes home.
    var sizes: [Int32: (Double, Double)] = [:]

    static func of(_ data: UnsafeMutableRawPointer?) -> Looks {
      Unmanaged<Looks>.fromOpaque(data!).takeUnretainedValue()
    }
    var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func note(_ name: String, _ status: Int32) { statuses[name] = min(statuses[name] ?? 0, status) }
  }

  nonisolated(unsafe) private static var looks = Looks()

  private func items(_ count: Int) -> [OpaquePointer?] {
    (0..<count).map { i in
      let item = carry_item_create()
      carry_item_add_text(item, "item \(i)")
      Self.looks.note("presentation size", carry_item_set_presentation_size(item, 640, 320))
      Self.looks.note(
        "provider",
        carry_item_set_preview_provider(
          item,
          { data in
            Looks.of(data).provided += 1
            return carry_preview_create_link("https://example.org/", "Example")
          }, Self.looks.data))
      return item
    }
  }

  /// A preview of each kind, in turn.
  private static func make(_ number: Int32, _ region: OpaquePointer?, _ pixmap: UInt32) -> OpaquePointer? {
    let pixels = [UInt32](repeating: 0xFFAA_3300, count: 64 * 64)
    let preview: OpaquePointer?
    switch number % 5 {
    case 0: preview = carry_preview_create_region(region, 10, 10, 100, 80)
    case 1: preview = carry_preview_create_image(pixels, 64, 64, 1)
    case 2: preview = carry_preview_create_pixmap(pixmap, 40, 30)
    case 3: preview = carry_preview_create_link("https://example.org/", "")
    default:
      preview = carry_preview_create_region(region, 0, 0, 200, 200)
      let lines: [Int32] = (Int32(0)..<30).flatMap { i -> [Int32] in [0, i * 6, 100, 5] }
      looks.note("text lines", carry_preview_set_text_lines(preview, lines, 30))
    }
    #expect(preview != nil, "kind \(number % 5): \(String(cString: carry_last_error()))")
    let corners: [Double] = [0, 0, 0, 1, 60, 0, 2, 60, 20, 60, 30, 50, 40, 1, 0, 40, 3]
    if number % 5 != 4 { looks.note("path", carry_preview_set_path(preview, corners, corners.count)) }
    looks.note("shadow", carry_preview_set_shadow_path(preview, corners, corners.count))
    looks.note("background", carry_preview_set_background(preview, 0xFF20_3040))
    looks.note("target", carry_preview_set_target(preview, region, 150, 150, 1, 0))
    looks.previews.append(preview)
    return preview
  }

  nonisolated(unsafe) private static var pixmap: UInt32 = 0

  private func animate(_ app: App) {
    app.drag.preview_for_lifting = { data, _, item, preview in
      preview.pointee = PreviewTests.make(item, App.of(data).region, PreviewTests.pixmap)
      return Int32(CARRY_PREVIEW_OWN.rawValue)
    }
    app.drag.will_animate_lift = { _, _, animator in PreviewTests.add(to: animator) }
    app.drag.preview_for_cancelling = { data, session, item, preview in
      var size = (0.0, 0.0)
      if carry_drag_session_carried_size(session, item, &size.0, &size.1) == 1 { PreviewTests.looks.sizes[item] = size }
      preview.pointee = PreviewTests.make(item, App.of(data).region, PreviewTests.pixmap)
      return item == 0 ? Int32(CARRY_PREVIEW_NONE.rawValue) : Int32(CARRY_PREVIEW_OWN.rawValue)
    }
    app.drag.will_animate_cancel = { _, _, _, animator in PreviewTests.add(to: animator) }
    app.drop.preview_for_dropping = { data, session, item, preview in
      var size = (0.0, 0.0)
      if carry_drop_session_carried_size(session, item, &size.0, &size.1) == 1 { PreviewTests.looks.sizes[item] = size }
      if item == 0 { return Int32(CARRY_PREVIEW_USUAL.rawValue) }
      let carried = carry_preview_create_carried()
      PreviewTests.looks.note("carried", carry_preview_set_target(carried, App.of(data).region, 50, 50, 0.5, 45))
      PreviewTests.looks.previews.append(carried)
      preview.pointee = carried
      return Int32(CARRY_PREVIEW_OWN.rawValue)
    }
    app.drop.will_animate_drop = { _, _, _, animator in PreviewTests.add(to: animator) }
    Self.looks.note(
      "refused",
      carry_client_set_preview_refused(
        app.client, { Looks.of($0).refusals.append(String(cString: $1)) }, Self.looks.data))
  }

  private static func add(to animator: OpaquePointer) {
    looks.note(
      "animation",
      carry_animator_add_animation(animator, { Looks.of($0).fractions.append($1) }, looks.data))
    looks.note(
      "completion",
      carry_animator_add_completion(animator, { Looks.of($0).completed.append($1) }, looks.data))
  }

  @Test("O7: previews of every kind, animators and presentation sizes, lifted and dropped")
  func liftedAndDropped() throws {
    Self.looks = Looks()
    let desktop = try Desktop("press-drag-drop")
    Self.pixmap = desktop.client.makePixmap(40, 30)
    desktop.client.sync()
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    source.items = { items(5) }
    for app in [source, target] { animate(app) }
    var size: (Int32, Int32, Int32) = (0, 0, 0)
    target.perform = { session in
      var (width, height): (Int32, Int32) = (0, 0)
      let isSaid = carry_drop_session_presentation_size(session, 0, &width, &height)
      size = (width, height, isSaid)
      #expect(carry_drop_session_operation(session) == Int32(CARRY_OPERATION_COPY.rawValue))
      #expect(carry_drop_session_identifier(session) != 0)
      #expect(carry_drop_session_allows_move(session) == 1)
      #expect(carry_drop_session_set_local_data(session, UnsafeMutableRawPointer(bitPattern: 5)) == 0)
      #expect(carry_drop_session_local_data(session) == UnsafeMutableRawPointer(bitPattern: 5))
    }
    source.onCall["session_will_begin"] = { session in
      #expect(carry_drag_session_allows_move(session) == 1)
      #expect(carry_drag_session_identifier(session) != 0)
      var (x, y) = (0.0, 0.0)
      #expect(carry_drag_session_location(session, nil, &x, &y) == CARRY_OK.rawValue)
      #expect((0...300).contains(x) && (0...300).contains(y))
    }
    source.setDrag()
    target.setDrop()
    #expect(carry_region_set_label(target.region, "Inbox") == CARRY_OK.rawValue)
    #expect(carry_region_set_accepted_types(target.region, "text/plain\nimage/*") == CARRY_OK.rawValue)
    #expect(
      App.run([target, source]) { source.calls.contains("did_transfer") && target.calls.last == "did_end(2)" },
      "\(source.calls) \(target.calls)")
    #expect(size == (640, 320, 1))
    #expect(Self.looks.statuses.allSatisfy { $0.value == 0 }, "\(Self.looks.statuses)")
    #expect(Self.looks.refusals == [])
    // The lift and the landings came to their ends.
    #expect(Self.looks.fractions.last == 1 && Self.looks.completed.contains(1))
    #expect(Self.looks.provided > 0)
    // Those that were looked at in the hand are cards of links by then.
    #expect(Self.looks.sizes.count == 5 && Self.looks.sizes.allSatisfy { $0.value.0 > 10 && $0.value.1 > 10 })
    #expect(carry_drop_session_carried_size(nil, 0, nil, nil) == CARRY_ERROR_INVALID_HANDLE.rawValue)
    // What a callback has returned is the library's: a second owner does no harm.
    #expect(Self.looks.previews.count == 9)
    for preview in Self.looks.previews {
      #expect(carry_preview_set_background(preview, 0) == CARRY_ERROR_INVALID_HANDLE.rawValue)
      carry_preview_destroy(preview)
    }
  }

  @Test("E3, E4: previews and animators of a drag that is cancelled") func E3_E4_cancelled() throws {
    Self.looks = Looks()
    let desktop = try Desktop("press-drag-drop")
    Self.pixmap = desktop.client.makePixmap(40, 30)
    desktop.client.sync()
    let source = try App(desktop, name: "C source", x: 50)
    source.items = { items(3) }
    animate(source)
    source.setDrag()
    #expect(App.run([source]) { source.calls.contains("did_end(0)") }, "\(source.calls)")
    #expect(Self.looks.statuses.allSatisfy { $0.value == 0 }, "\(Self.looks.statuses)")
    #expect(Self.looks.refusals == [])
    #expect(Self.looks.previews.count == 6)
    #expect(Self.looks.sizes.count == 3, "\(Self.looks.sizes)")
    #expect(carry_drag_session_carried_size(nil, 0, nil, nil) == CARRY_ERROR_INVALID_HANDLE.rawValue)
    // The first was not used, as the callback chose none: it is still the program's.
    #expect(carry_preview_set_background(Self.looks.previews[3], 0) == CARRY_OK.rawValue)
    carry_preview_destroy(Self.looks.previews[3])
    #expect(carry_preview_set_background(Self.looks.previews[3], 0) == CARRY_ERROR_INVALID_HANDLE.rawValue)
  }

  @Test("Z12: why a drop is forbidden is read beside the badge") func Z12_theReasonIsRead() throws {
    var script = FingerScript(width: 1280, height: 800)
    script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1000), upAt: 60_000)
    let desktop = try Desktop(script, compositor: nil)
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    source.items = { items(1) }
    target.operation = CARRY_OPERATION_FORBIDDEN
    var status: Int32 = 1
    target.onCall["did_update"] = { status = carry_drop_session_propose_reason($0, "Read-only folder") }
    #expect(carry_drop_session_propose_reason(nil, "x") == CARRY_ERROR_INVALID_HANDLE.rawValue)
    source.setDrag()
    target.setDrop()
    // The plate's colour; nothing else on the screen has it.
    let plate = Screenshot.Color(33, 36, 41)
    var seen = 0
    #expect(
      App.run([target, source], seconds: 30) {
        guard status == 0, let screen = desktop.client.screenshot() else { return false }
        seen = 0
        for y in stride(from: 300, to: 600, by: 2) {
          for x in stride(from: 800, to: 1280, by: 2) where screen[x, y].distance(to: plate) < 6 { seen += 1 }
        }
        return seen > 300
      }, "\(seen) pixels of the plate; status \(status)")
  }

  @Test("a spring-loaded region hears of each step") func springs() throws {
    var script = FingerScript(width: 1280, height: 800)
    script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1000), upAt: 3500)
    let desktop = try Desktop(script, compositor: nil)
    let source = try App(desktop, name: "C source", x: 50)
    source.items = { items(1) }
    let folder = try App(desktop, name: "C folder", x: 850)
    var callbacks = carry_spring_callbacks(
      size: MemoryLayout<carry_spring_callbacks>.size, user_data: Unmanaged.passUnretained(folder).toOpaque(),
      state_changed: { data, state, x, _ in
        #expect(x > 0)
        App.of(data).calls.append("state(\(state))")
      }, activated: { data, _, _ in App.of(data).calls.append("activated") },
      should_allow: { data, state, _, _ in
        App.of(data).calls.append("allow(\(state))")
        return 1
      }, did_finish: { App.of($0).calls.append("did_finish") })
    #expect(carry_region_set_spring(folder.region, &callbacks) == CARRY_OK.rawValue)
    source.setDrag()
    #expect(App.run([folder, source]) { folder.calls.contains("did_finish") }, "\(folder.calls)")
    #expect(folder.calls.filter { $0.hasPrefix("state") }.prefix(3) == ["state(1)", "state(2)", "state(3)"])
    #expect(folder.calls.contains("activated") && folder.calls.contains("allow(1)"), "\(folder.calls)")
  }
}
