import CarryModel
import CarryXdnd
import Testing

@Suite struct LiftVetoTests {
  private static let window: [AccessibleRole] = [.filler, .frame]
  private static let page: [AccessibleRole] = [.section, .documentWeb, .panel, .frame]

  private func isForbidden(_ roles: [AccessibleRole]) -> Bool {
    if case .leave = LiftVeto.judgement(of: roles) { true } else { false }
  }

  private func isForSelections(_ roles: [AccessibleRole]) -> Bool {
    if case .liftSelection = LiftVeto.judgement(of: roles) { true } else { false }
  }

  @Test(
    "Z23: what a press alone would change is never pressed on",
    arguments: [
      [.pushButton], [.label, .pushButton], [.image, .filler, .pushButton], [.static, .pushButton],
      [.pushButton, .link], [.toggleButton], [.checkBox], [.radioButton], [.slider], [.scrollBar, .scrollPane],
      [.spinButton], [.comboBox], [.menuItem, .menu], [.label, .menuItem], [.menu, .menuBar], [.label, .pageTab],
      [.tableColumnHeader, .treeTable], [.titleBar], [.splitPane], [.separator], [.toolBar], [.dial],
    ] as [[AccessibleRole]])
  func Z23_controls(roles: [AccessibleRole]) {
    #expect(isForbidden(roles + Self.window))
    // Nor in a page.
    #expect(isForbidden(roles + Self.page))
  }

  @Test(
    "Z23: in texts only a selection lifts",
    arguments: [.text, .entry, .passwordText, .paragraph, .documentText, .terminal] as [AccessibleRole])
  func Z23_texts(role: AccessibleRole) {
    #expect(isForSelections([role] + Self.window))
    #expect(isForSelections([.filler, role] + Self.window))
  }

  @Test("Z23: in a page links, pictures and selections lift, and nothing else") func Z23_pages() {
    #expect(LiftVeto.judgement(of: [.link] + Self.page) == .lift)
    #expect(LiftVeto.judgement(of: [.static, .section, .heading, .link, .paragraph] + Self.page) == .lift)
    #expect(LiftVeto.judgement(of: [.image] + Self.page) == .lift)
    #expect(isForSelections([.static, .paragraph] + Self.page))
    #expect(isForSelections([.listItem] + Self.page))
    #expect(isForSelections([.tableCell] + Self.page))
    #expect(isForSelections([.entry] + Self.page))
    #expect(isForSelections([.documentWeb, .frame]))
    // A link around the page is none of the page's.
    #expect(isForSelections([.paragraph, .documentWeb, .link, .frame]))
  }

  @Test(
    "Z23: all else is tried",
    arguments: [
      [.tableCell, .treeTable, .scrollPane], [.label, .listItem], [.icon], [.image], [.label], [.listItem], [.unknown],
      [.pageTabList, .splitPane], [.tableCell, .treeTable, .scrollPane, .filler, .pageTab, .pageTabList],
      [.label, .filler, .splitPane], [.frame], [.label, .toolBar],
    ] as [[AccessibleRole]])
  func Z23_allElse(roles: [AccessibleRole]) { #expect(LiftVeto.judgement(of: roles + Self.window) == .lift) }

  @Test("Z23: where no program says anything a lift is tried") func Z23_noTree() {
    #expect(LiftVeto.judgement(of: []) == .lift)
  }

  @Test("Z23: the journal is told what the tree says") func Z23_reasons() {
    #expect(LiftVeto.judgement(of: [.label, .pushButton]) == .leave("the accessibility tree says push button"))
    #expect(AccessibleRole(number: 12345) == .unknown)
    #expect(AccessibleRole(number: 116).name == "static")
  }

  @Test("Z23: of a program's windows the nearest is meant, however large its pixels are") func Z23_windows() {
    let window = Rect(x: 100, y: 100, width: 600, height: 400)
    func found(_ frames: Rect...) -> AccessibleWindow? { AccessibleWindow(among: frames, nearest: window) }
    let framed = Rect(x: 96, y: 76, width: 608, height: 428)
    #expect(found(Rect(x: 140, y: 130, width: 600, height: 400), framed)?.index == 1)
    #expect(found(framed)?.scale == 1)
    #expect(found(Rect(x: 50, y: 50, width: 300, height: 200))?.scale == 2)
    // Another window, or none.
    #expect(found(Rect(x: 800, y: 100, width: 600, height: 400)) == nil)
    #expect(found(Rect(x: 100, y: 100, width: 0, height: -1)) == nil)
    let far = Double(Int32.min)
    #expect(found(Rect(x: far, y: far, width: Double(Int32.max), height: 1)) == nil)
    #expect(found() == nil)
  }
}
