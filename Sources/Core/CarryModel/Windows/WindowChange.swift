/// A change of the window mirror, as session recordings keep it.
package enum WindowChange: Equatable, Codable, Sendable {
  case insert(window: WindowTree.Window, parent: WindowID)
  case remove(window: WindowID)
  case map(window: WindowID, isMapped: Bool)
  case frame(window: WindowID, frame: Rect)
  case shape(window: WindowID, shape: [Rect]?)
  case inputOnly(window: WindowID, isInputOnly: Bool)
  case owner(window: WindowID, owner: Int32)
  case restack(window: WindowID, above: WindowID?)
  case raise(window: WindowID)
  case reparent(window: WindowID, to: WindowID, origin: Point)
}

extension WindowTree {
  package func apply(_ change: WindowChange) {
    switch change {
    case .insert(let window, let parent): insert(window, parent: parent)
    case .remove(let id): remove(id)
    case .map(let id, let isMapped): setMapped(id, isMapped)
    case .frame(let id, let frame): setFrame(id, frame)
    case .shape(let id, let shape): setInputShape(id, shape)
    case .inputOnly(let id, let isInputOnly): setInputOnly(id, isInputOnly)
    case .owner(let id, let owner): setOwner(id, owner)
    case .restack(let id, let sibling): restack(id, above: sibling)
    case .raise(let id): raise(id)
    case .reparent(let id, let parent, let origin): reparent(id, to: parent, origin: origin)
    }
  }

  /// The changes that make this mirror out of one with the same root.
  package var contents: [WindowChange] {
    var changes: [WindowChange] = []
    var pending = [root]
    while let parent = pending.popLast() {
      for id in children(of: parent).reversed() {
        guard let frame = frame(of: id) else { continue }
        changes.append(
          .insert(
            window: Window(id: id, frame: frame, isMapped: isMapped(id), inputShape: inputShape(of: id)), parent: parent
          ))
        if let isInputOnly = isInputOnly(id) { changes.append(.inputOnly(window: id, isInputOnly: isInputOnly)) }
        if owner(of: id) != 0 { changes.append(.owner(window: id, owner: owner(of: id))) }
        pending.append(id)
      }
    }
    return changes
  }
}
