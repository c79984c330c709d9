import CCarry
import CLinux
import CarryTesting
import Testing

/// Monitors of C programs.
@Suite(.serialized) struct MonitorTests {
  private final class Heard {
    var steps: [(kind: String, operation: Int32)] = []
  }

  @Test("Z20: a monitor in C hears the end of the sessions that an engine leaves behind as it dies")
  func Z20_theEngineDies() throws {
    var s = FingerScript(width: 1280, height: 800)
    s.carry(from: (200, 400), at: 0, .to(1000, 400, 620...850), upAt: 60_000)
    let desktop = try Desktop(s, compositor: nil)
    let source = try App(desktop, name: "source", x: 50)
    source.items = {
      let item = carry_item_create()
      carry_item_add_text(item, "hello")
      return [item]
    }
    source.setDrag()
    let heard = Heard()
    let monitor = carry_monitor_create(
      source.client,
      { data, step in
        guard let data else { return }
        let heard = Unmanaged<Heard>.fromOpaque(data).takeUnretainedValue()
        heard.steps.append((String(cString: step.pointee.kind), step.pointee.operation))
      }, Unmanaged.passUnretained(heard).toOpaque())
    defer { carry_monitor_destroy(monitor) }
    #expect(App.run([source]) { heard.steps.contains { $0.kind == "began" } })
    desktop.engine.stop(SIGKILL)
    #expect(App.run([source]) { heard.steps.contains { $0.kind == "ended" } }, "\(heard.steps)")
    #expect(heard.steps.last?.kind == "ended" && heard.steps.last?.operation == Int32(CARRY_OPERATION_CANCEL.rawValue))
  }
}
