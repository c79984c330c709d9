package import CarryModel

/// Where the windows inside a toplevel window accept drops.
///
/// A program may have thousands of windows with a region each. Toolkits that need side doors have one window or a
/// few; beyond the limit some windows are never queried.
package struct DoorPlaces: Sendable {
  package private(set) var windows: Set<UInt32> = []
  /// In pixels of the queried windows.
  package private(set) var places: [UInt32: [Rect]] = [:]
  private static let most = 16

  package init() {}

  package var isEmpty: Bool { windows.isEmpty }
  /// The windows to query.
  package var asked: some Collection<UInt32> { places.keys }

  package mutating func add(_ window: UInt32) {
    windows.insert(window)
    if places.count < Self.most, places[window] == nil { places[window] = [] }
  }

  package mutating func remove(_ window: UInt32) {
    guard windows.remove(window) != nil, places.removeValue(forKey: window) != nil else { return }
    if windows.count > places.count, let other = windows.first(where: { places[$0] == nil }) { places[other] = [] }
  }

  /// Stores the engine's reply about a window, unless that window is not queried.
  package mutating func learn(_ rects: [Rect], in window: UInt32) {
    if places[window] != nil { places[window] = rects }
  }
}
