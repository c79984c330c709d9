import CarryTesting
import Testing

extension DesktopTests {
  /// Widgets of the toolkits before scripts of `carry test`.
  @Suite struct WidgetScripts {
    enum Toolkit: String, CaseIterable {
      case gtk3, gtk4, qt6

      func program() throws -> String {
        switch self {
        case .gtk3: try GtkWidgets.program(GtkWidgets.widgets, gtk: 3)
        case .gtk4: try GtkWidgets.program(GtkWidgets.widgets, gtk: 4)
        case .qt6: try QtWidgets.widgets()
        }
      }
    }

    private func play(_ script: String, before program: String...) throws {
      let test = try ScriptTest(
        script, before: program,
        environment: [
          "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "G_DEBUG": "fatal-criticals", "QT_QPA_PLATFORM": "xcb",
          "QT_FATAL_CRITICALS": "1", "QT_QUICK_BACKEND": "software", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
          "LC_ALL": "C.UTF-8",
        ])
      #expect(test.status == 0, "\(test.results)")
    }

    @Test(
      "Z25, Z26, Z34: the toolkit picks: a button in a source keeps its press, one above a target is not the target",
      arguments: Toolkit.allCases)
    func Z25_Z26_Z34_pick(toolkit: Toolkit) throws { try play("pick", before: toolkit.program()) }

    @Test(
      "Z25, Z26, Z34: a tab springs open under a drag, and its page accepts the drop", arguments: Toolkit.allCases)
    func Z25_Z26_Z34_tabs(toolkit: Toolkit) throws {
      try play(toolkit == .qt6 ? "tab-qt" : "tab-gtk", before: toolkit.program())
    }

    @Test(
      "Z26, Z34: a script finds items of QML by their accessible names",
      .enabled(if: QtWidgets.hasQuick, "LEFT OUT: needs qt6-declarative-dev and qml6-module-qtquick-window"))
    func Z26_Z34_quick() throws {
      try play("quick", before: QtWidgets.quick(), Checkout.root + "/Toolkits/qt/examples/hello.qml")
    }
  }
}
