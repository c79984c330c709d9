/// Why a region was not registered.
package enum RegionRefusal: Explained, Sendable {
  case notYours
  /// The window can never be visible, or is nested too deep.
  case noWindow
  /// The window does not exist yet; the region waits for it.
  case notThere
  case tooMany

  package var sentence: String {
    switch self {
    case .notYours:
      "the window does not belong to this process, or lies in one that does not, or its owner cannot be told"
    case .noWindow: "the window cannot be seen (it is InputOnly), or lies in \(WindowTree.maxDepth) windows or more"
    case .notThere: "there is no such window; create it and call XSync before registering a region"
    case .tooMany: "too many regions (\(Limits.regionsPerClient) a client, \(Limits.regions) in all)"
    }
  }
}
