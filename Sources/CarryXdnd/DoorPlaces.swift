package import CarryModel

/// Where the windows in a toplevel window take drops.
///
/// A program may have thousands of windows with a region each. The toolkits that have side doors have one window, or a few:
/// of more than that, some are never asked about.
package struct DoorPlaces: Sendable {
  package private(set) var windows: Set<UInt32> = []
  /// In the pixels of the windows that are asked about.
  package private(set) var places: [UInt32: [Rect]] = [:]
  private static let most = 16

  package init() {}

  package var isEmpty: Bool { windows.isEmpty }
  /// The windows to ask about.
  package var asked: some Collection<UInt32> { places.keys }

  package mutating func add(_ window: UInt32) {
    windows.insert(window)
    if places.count < Self.most, places[window] == nil { places[window] = [] }
  }

  package mutating func remove(_ window: UInt32) {
    guard windows.remove(window) != nil, places.removeValue(forKey: window) != nil else { return }
    if windows.count > places.count, let other = windows.first(where: { places[$0] == nil }) { places[other] = [] }
  }

  /// What the engine says about a window; of one that is not asked about, it means nothing.
  package mutating func learn(_ rects: [Rect], in window: UInt32) {
    if places[window] != nil { places[window] = rects }
  }
}
