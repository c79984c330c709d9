import CCarryProbe
import CarrySystem
import CarryTesting
import Testing

/// The names of the functions that carry.h declares.
func declaredFunctions() throws -> Set<String> {
  // Declarations begin with CARRY_API, and the function's name comes right before the first parenthesis after it.
  var names: Set<String> = []
  for part in try Paths.text(Paths.header).split(separator: "\nCARRY_API ").dropFirst() {
    let head = part.prefix { $0 != "(" }
    names.insert(String(head.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.last ?? ""))
  }
  return names
}

@Suite struct HeaderTests {
  static let compilers: [[String]] = [
    ["gcc", "-std=c99"], ["gcc", "-std=c11"], ["g++", "-x", "c++", "-std=c++17"], ["clang", "-std=c99"],
    ["clang", "-std=c11"], ["clang++", "-x", "c++", "-std=c++17"],
  ]

  @Test("Z21: the header compiles without a warning", arguments: compilers) func Z21_theHeaderCompilesWithoutAWarning(
    compiler: [String]
  ) throws {
    // The Swift toolchain brings a clang; other toolchains' may be missing.
    if compiler[0].hasPrefix("clang"), try run(["sh", "-c", "command -v \(compiler[0])"]).status != 0 {
      print("CarryABITests: no \(compiler[0]): carry.h was not tried with it")
      return
    }
    let folder = try TestFolder("abi")
    let source = folder.path + "/program.c"
    let fd = try Descriptor.open(source, 0o1101, mode: 0o600)
    Output.write(
      """
      #include <carry.h>
      #include <carry.h>
      int main(void) {
        carry_drag_callbacks drag = CARRY_DRAG_CALLBACKS_INIT;
        carry_drop_callbacks drop = CARRY_DROP_CALLBACKS_INIT;
        carry_spring_callbacks spring = CARRY_SPRING_CALLBACKS_INIT;
        return !(drag.size == sizeof drag && drop.size == sizeof drop && spring.size == sizeof spring);
      }

      """, to: fd.raw)
    let flags = [
      "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-I", Checkout.headers,
    ]
    let result = try run(compiler + flags + [source])
    #expect(result.status == 0, "\(result.lines)")
  }

  @Test("Z21: header and map and implementation agree") func Z21_headerAndMapAndImplementationAgree() throws {
    let declared = try declaredFunctions()
    #expect(declared.count > 60)
    let map = try Paths.text(Paths.map)
    let exported = Set(
      map.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("carry_") }
        .map { String($0.dropLast()) })
    #expect(exported == declared)
    // That this program links says that each of them is implemented.
    let linked = Set((0..<ccarryprobe_count()).compactMap { ccarryprobe_name($0).map { String(cString: $0) } })
    #expect(linked == declared)
  }

  @Test(
    "Z21: the library exports exactly the header",
    .enabled(if: Paths.library != nil, "LEFT OUT: libcarryabi.so is not built; run 'swift build' or set CARRY_LIBRARY"))
  func Z21_theLibraryExportsExactlyTheHeader() throws {
    let library = try #require(Paths.library)
    let symbols = try run(["nm", "-D", "--defined-only", "--extern-only", library]).lines
    let functions = symbols.compactMap { line -> String? in
      let fields = line.split(separator: " ")
      return fields.count == 3 && fields[1] == "T" ? String(fields[2]) : nil
    }
    #expect(Set(functions) == Set(try declaredFunctions().map { $0 + "@@CARRY_0.1" }))
    // Nothing else but the version's own name.
    #expect(symbols.count == functions.count + 1)
    let needs = try run(["readelf", "-d", library]).lines
    #expect(needs.contains { $0.contains("SONAME") && $0.contains("[libcarry.so.0]") })
    // As it is installed; a build for tests looks for its like beside it.
    if environment("CARRY_LIBRARY") != nil {
      #expect(!needs.contains { $0.contains("RUNPATH") || $0.contains("RPATH") }, "\(needs)")
    }
    #expect(!needs.contains { $0.contains("NEEDED") && ($0.contains("libswift") || $0.contains("Foundation")) })
  }

  /// Which function of carry.h makes a client send each request.
  static let requests: [String: String] = [
    "carry_manager.destroy": "carry_client_destroy",
    "carry_manager.hello": "carry_client_create",
    "carry_manager.synchronize": "carry_client_synchronize",
    "carry_manager.create_region": "carry_region_create",
    "carry_manager.create_item": "carry_drag_session_add_item",
    "carry_manager.create_monitor": "carry_monitor_create",
    "carry_manager.create_preview": "carry_preview_create_image",
    "carry_preview.destroy": "carry_preview_destroy",
    "carry_preview.set_window": "carry_preview_create_region",
    "carry_preview.set_image": "carry_preview_create_image",
    "carry_preview.set_pixmap": "carry_preview_create_pixmap",
    "carry_preview.set_link": "carry_preview_create_link",
    "carry_preview.set_background": "carry_preview_set_background",
    "carry_preview.set_path": "carry_preview_set_path",
    "carry_preview.set_shadow_path": "carry_preview_set_shadow_path",
    "carry_preview.set_target": "carry_preview_set_target",
    "carry_drag_session.set_preview": "carry_region_set_drag",
    "carry_drag_session.offer_preview": "carry_item_set_preview_provider",
    "carry_drag_session.set_ending": "carry_region_set_drag",
    "carry_drag_session.ending": "carry_region_set_drag",
    "carry_drop_session.set_landing": "carry_region_set_drop",
    "carry_region.destroy": "carry_region_destroy",
    "carry_region.withdraw": "carry_region_destroy",
    "carry_region.set_rectangle": "carry_region_set_rectangle",
    "carry_region.set_roles": "carry_region_set_enabled",
    "carry_region.set_edge_zone": "carry_region_set_edge_zone",
    "carry_region.set_accepted_types": "carry_region_set_accepted_types",
    "carry_region.set_label": "carry_region_set_label",
    "carry_item.set_presentation_size": "carry_item_set_presentation_size",
    "carry_region.raise": "carry_region_raise",
    "carry_drop_session.keep_open": "carry_drop_session_keep_open",
    "carry_drop_session.copy_instead": "carry_drop_session_finish",
    "carry_region.answer_press": "carry_region_set_drag",
    "carry_region.ask_again": "carry_region_ask_again",
    "carry_region.choose": "carry_region_set_drag",
    "carry_region.refuse_spring": "carry_region_set_spring",
    "carry_item.destroy": "carry_client_dispatch",
    "carry_item.withdraw": "carry_client_dispatch",
    "carry_item.set_name": "carry_item_set_name",
    "carry_item.set_byte_count": "carry_item_set_byte_count",
    "carry_item.add_type": "carry_item_add_data",
    "carry_item.set_team_data": "carry_item_set_team_data",
    "carry_item.set_reference": "carry_item_set_reference",
    "carry_manager.create_provider": "carry_provider_run",
    "carry_provider.destroy": "carry_client_dispatch",
    "carry_provision.destroy": "carry_request_fail",
    "carry_provision.file": "carry_request_answer_file",
    "carry_provision.folder": "carry_request_answer_file",
    "carry_provision.original": "carry_request_answer_original",
    "carry_provision.memory": "carry_request_answer_data",
    "carry_provision.stream": "carry_request_answer_descriptor",
    "carry_provision.ring": "carry_stream_write",
    "carry_provision.fail": "carry_request_fail",
    "carry_provision.progress": "carry_request_progress",
    "carry_drag_session.destroy": "carry_client_dispatch",
    "carry_drag_session.add_item": "carry_drag_session_add_item",
    "carry_drag_session.answer": "carry_region_set_drag",
    "carry_drag_session.configure": "carry_region_set_drag",
    "carry_drag_session.moved": "carry_region_set_drag",
    "carry_drag_session.offer_undo": "carry_drag_session_offer_undo",
    "carry_drop_session.destroy": "carry_client_dispatch",
    "carry_drop_session.handle": "carry_region_set_drop",
    "carry_drop_session.propose": "carry_region_set_drop",
    "carry_drop_session.set_reason": "carry_drop_session_propose_reason",
    "carry_drop_session.load": "carry_drop_session_load",
    "carry_drop_session.performed": "carry_region_set_drop",
    "carry_drop_session.set_progress_indicator": "carry_drop_session_set_progress_indicator",
    "carry_load.destroy": "carry_load_cancel",
    "carry_load.progress": "carry_drop_session_load_into",
    "carry_load.finished": "carry_drop_session_load",
    "carry_monitor.destroy": "carry_monitor_destroy",
  ]

  /// Where a C program hears of each event: a member of a struct of callbacks, or a function whose answer it is.
  static let heard: [String: String] = [
    "carry_manager.synchronized": "carry_client_synchronize",
    "carry_manager.welcome": "carry_client_drag_enabled_by_default",
    "carry_region.refused": "carry_region_set_refused",
    "carry_region.begin_drag": "items_for_beginning",
    "carry_region.choose_session": "session_for_adding",
    "carry_region.add_to_drag": "items_for_adding",
    "carry_region.drop_session": "can_handle",
    "carry_region.withdrawn": "carry_region_destroy",
    "carry_region.spring": "state_changed",
    "carry_region.touch_cancelled": "carry_region_set_touch_cancelled",
    "carry_region.press": "may_begin",
    "carry_item.withdrawn": "carry_item_destroy",
    "carry_item.load": "carry_item_add_callback",
    "carry_provider.provide": "carry_provider_run",
    "carry_provision.cancelled": "carry_request_set_cancelled",
    "carry_load.source_progress": "carry_load_set_progress",
    "carry_load.folder": "carry_drop_session_load_file",
    "carry_load.original": "carry_drop_session_open",
    "carry_provision.destination_progress": "carry_request_set_destination_progress",
    "carry_provision.delivered": "did_transfer",
    "carry_drag_session.lift_began": "lift_began",
    "carry_drag_session.lifted": "lifted",
    "carry_drag_session.motion": "will_animate_lift",
    "carry_drag_session.want_preview": "carry_item_set_preview_provider",
    "carry_drag_session.carried_size": "carry_drag_session_carried_size",
    "carry_drag_session.will_cancel": "preview_for_cancelling",
    "carry_drop_session.motion": "will_animate_drop",
    "carry_preview.refused": "carry_client_set_preview_refused",
    "carry_drag_session.lift_ended": "lift_ended",
    "carry_drag_session.will_begin": "session_will_begin",
    "carry_drag_session.move": "session_did_move",
    "carry_drag_session.will_end": "will_end",
    "carry_drag_session.did_end": "did_end",
    "carry_drag_session.item_moved": "carry_drag_session_item_moved",
    "carry_drag_session.did_transfer": "did_transfer",
    "carry_drag_session.undo": "carry_drag_session_offer_undo",
    "carry_drag_session.gone": "carry_drag_session_identifier",
    "carry_drop_session.source": "carry_drop_session_is_restricted",
    "carry_drop_session.item": "carry_drop_session_item_count",
    "carry_drop_session.type": "carry_drop_session_type",
    "carry_drop_session.carried_size": "carry_drop_session_carried_size",
    "carry_drop_session.byte_count": "carry_drop_session_byte_count",
    "carry_drop_session.presentation_size": "carry_drop_session_presentation_size",
    "carry_drop_session.team_data": "carry_drop_session_team_data",
    "carry_drop_session.can_handle": "can_handle",
    "carry_drop_session.enter": "did_enter",
    "carry_drop_session.edge": "carry_drop_session_edge_speed",
    "carry_drop_session.update": "did_update",
    "carry_drop_session.exit": "did_exit",
    "carry_drop_session.perform": "perform_drop",
    "carry_drop_session.conclude": "conclude_drop",
    "carry_drop_session.did_end": "did_end",
    "carry_load.file": "carry_drop_session_load",
    "carry_load.memory": "carry_drop_session_load",
    "carry_load.stream": "carry_drop_session_load",
    "carry_load.ring": "carry_drop_session_load",
    "carry_load.failed": "carry_drop_session_load",
    "carry_load.ended": "carry_load_cancel",
    "carry_monitor.step": "carry_monitor_create",
    "carry_monitor.announcement": "carry_monitor_set_announced", "carry_monitor.missed": "carry_monitor_create",
  ]

  /// Which function of carry.h sets or tells each bit of the protocol's bit fields.
  static let bits: [String: String] = [
    "preference.drag": "carry_client_drag_enabled_by_default",
    "role.drag": "carry_region_set_drag",
    "role.drop": "carry_region_set_drop",
    "role.spring": "carry_region_set_spring",
    "role.cooperative": "carry_region_set_touch_cancelled",
    "role.simultaneous": "carry_region_set_simultaneous",
    "role.own_pointer": "carry_region_set_own_pointer",
    "role.asks": "carry_region_set_drag", "role.obstacle": "carry_region_set_obstacle",
    "role.framed": "carry_region_set_spring",
    "option.allow_move": "carry_drag_session_allows_move",
    "option.allow_move_to_others": "allows_move_to_others",
    "option.restricted": "carry_drag_session_is_restricted",
    "option.full_size": "prefers_full_size",
    "flag.local": "carry_drop_session_is_local",
    "flag.allows_move": "carry_drop_session_allows_move",
    "flag.restricted": "carry_drop_session_is_restricted",
    "wish.precise": "carry_drop_session_propose_precise",
    "wish.full_size": "carry_drop_session_propose_full_size",
  ]

  @Test("Z21: each event and each bit of the protocol is within reach") func Z21_eachEventIsWithinReach() throws {
    func name(_ line: Substring) -> String? {
      let parts = line.split(separator: "name=\"", maxSplits: 1)
      return parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : nil
    }
    var interface = ""
    var field = ""
    var events: Set<String> = []
    var bits: Set<String> = []
    for line in try Paths.text(Paths.protocolFile).split(separator: "\n") {
      let line = line.drop { $0 == " " }
      if line.hasPrefix("<interface "), let found = name(line) { interface = found }
      if line.hasPrefix("<event "), let found = name(line) { events.insert(interface + "." + found) }
      if line.hasPrefix("<enum "), let found = name(line) { field = line.contains("bitfield") ? found : "" }
      if line.hasPrefix("<entry "), !field.isEmpty, let found = name(line) { bits.insert(field + "." + found) }
    }
    #expect(events.count > 30 && bits.count > 10)
    // The others are those of the engine's own bridge and shelf, and of the tools.
    let own =
      ["carry_bridge.", "carry_foreign_drag.", "carry_shelf.", "carry_kept_item.", "carry_region_list."]
      + ["contact", "question", "question_over", "transfer", "transfer_over"].map { "carry_monitor.\($0)" }
    let ofOurs = events.filter { event in own.contains { event.hasPrefix($0) } }
    #expect(Set(Self.heard.keys) == events.subtracting(ofOurs))
    #expect(Set(Self.bits.keys) == bits)
    let header = try Paths.text(Paths.header)
    for word in Array(Self.heard.values) + Array(Self.bits.values) {
      #expect(
        header.contains("\(word)(") || header.contains("CARRY_NULLABLE \(word))("), "\(word) is not in carry.h")
    }
  }

  /// What only the engine's own bridge and shelf can ask for, and the command-line tools.
  private static let ofOurs: Set<String> = [
    "carry_manager.create_shelf", "carry_shelf.destroy", "carry_shelf.keep", "carry_shelf.shown",
    "carry_kept_item.destroy",
    "carry_kept_item.lend",
    "carry_bridge.create_drag", "carry_bridge.create_region", "carry_bridge.destroy", "carry_bridge.pong",
    "carry_bridge.find_drop_places", "carry_bridge.drag_under_way", "carry_bridge.drag_over",
    "carry_bridge.take_touch", "carry_bridge.trial_over", "carry_manager.create_bridge",
    "carry_foreign_drag.destroy", "carry_foreign_drag.add_item", "carry_foreign_drag.begin",
    "carry_foreign_drag.motion", "carry_foreign_drag.drop",
    "carry_manager.create_region_list", "carry_region_list.destroy", "carry_manager.create_player",
    "carry_player.destroy", "carry_player.touch", "carry_monitor.watch_details",
  ]

  @Test("Z21: each request of the protocol is within reach") func Z21_eachRequestOfTheProtocolIsWithinReach() throws {
    func name(_ line: Substring) -> String? {
      let parts = line.split(separator: "name=\"", maxSplits: 1)
      return parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : nil
    }
    var interface = ""
    var requests: Set<String> = []
    for line in try Paths.text(Paths.protocolFile).split(separator: "\n") {
      let line = line.drop { $0 == " " }
      if line.hasPrefix("<interface "), let found = name(line) { interface = found }
      if line.hasPrefix("<request "), let found = name(line) { requests.insert(interface + "." + found) }
    }
    #expect(requests.count > 20)
    #expect(Set(Self.requests.keys) == requests.subtracting(Self.ofOurs))
    let declared = try declaredFunctions()
    for function in Self.requests.values { #expect(declared.contains(function)) }
  }
}
