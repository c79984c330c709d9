import CarrySystem

/// What an engine plays: a recording or a gesture script.
package protocol Playable {
  var text: [UInt8] { get throws }
}

extension FingerScript: Playable {}

/// A gesture script of Tests/Fixtures/traces: fingers on a screen of 1280×800, over a source at 50,250 and a target at
/// 850,250 of 300×300 each.
package struct Trace: Playable {
  private let name: String
  private let more: String

  /// - Parameter more: steps that follow, with times since the script's beginning.
  package init(_ name: String, then more: String = "") { (self.name, self.more) = (name, more) }

  package var text: [UInt8] {
    get throws { Array((try Checkout.text("Tests/Fixtures/traces/\(name).gestures") + more).utf8) }
  }
}
