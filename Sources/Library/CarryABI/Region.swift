public import CCarry
import Carry

/// A region with its callbacks.
final class RegionHandle: Handle {
  let region: Region
  let client: ClientHandle
  let strings = CStrings()
  private var drag: (interaction: DragInteraction, delegate: DragCallbacks)?
  private var drop: (interaction: DropInteraction, delegate: DropCallbacks)?
  private var spring: (interaction: SpringLoadedInteraction, callbacks: SpringCallbacks)?

  init(_ region: Region, _ client: ClientHandle) {
    self.region = region
    self.client = client
  }

  func setDrag(_ callbacks: carry_drag_callbacks?) {
    if let callbacks, let drag {
      drag.delegate.callbacks = callbacks
      drag.delegate.setMayBegin(of: drag.interaction)
    } else if let callbacks {
      let delegate = DragCallbacks(callbacks, client)
      let interaction = DragInteraction(delegate: delegate)
      delegate.setMayBegin(of: interaction)
      drag = (interaction, delegate)
      region.addInteraction(interaction)
    } else if let old = drag {
      // The interaction's running sessions retain the delegate, but the program wants no more callbacks.
      old.delegate.callbacks = carry_drag_callbacks()
      drag = nil
      region.removeInteraction(old.interaction)
    }
  }

  func setDrop(_ callbacks: carry_drop_callbacks?) {
    if let callbacks, let drop {
      drop.delegate.callbacks = callbacks
    } else if let callbacks {
      let delegate = DropCallbacks(callbacks, client)
      let interaction = DropInteraction(delegate: delegate)
      drop = (interaction, delegate)
      region.addInteraction(interaction)
    } else if let old = drop {
      drop = nil
      region.removeInteraction(old.interaction)
    }
  }

  func setSpring(_ callbacks: carry_spring_callbacks?) {
    let drawsItself = callbacks?.state_changed != nil
    if let callbacks, let spring, drawsItself == (spring.interaction.interactionEffect != nil) {
      spring.callbacks.callbacks = callbacks
    } else if let callbacks {
      setSpring(nil)
      let kept = SpringCallbacks(callbacks, client)
      let interaction = SpringLoadedInteraction(
        interactionBehavior: kept, interactionEffect: drawsItself ? kept : nil
      ) { _, context in kept.activated(at: context.location) }
      spring = (interaction, kept)
      region.addInteraction(interaction)
    } else if let old = spring {
      silenceSpring()
      spring = nil
      region.removeInteraction(old.interaction)
    }
  }

  /// Removing the interaction reports that no drag is over it any more, but the program wants no more callbacks.
  private func silenceSpring() { spring?.callbacks.callbacks = carry_spring_callbacks() }

  /// Returns false if the region accepts no drops.
  func setSimultaneous(_ simultaneous: Bool) -> Bool {
    drop?.interaction.allowsSimultaneousDropSessions = simultaneous
    return drop != nil
  }

  /// Returns false if the region is not a drag source.
  func setOwnPointer(_ isOwn: Bool) -> Bool {
    drag?.interaction.dragsByPointerItself = isOwn
    return drag != nil
  }

  /// Returns false if the region accepts no drops.
  func setAcceptedTypes(_ types: [String]) -> Bool {
    guard let drop else { return false }
    drop.interaction.acceptedTypes = types
    return true
  }

  /// Returns false if the region accepts no drops.
  func setEdgeZone(_ pixels: Int) -> Bool {
    drop?.interaction.edgeZone = pixels
    return drop != nil
  }

  func isSource(_ interaction: DragInteraction) -> Bool { drag?.interaction === interaction }

  func setEnabled(_ interactions: UInt32, _ enabled: Bool) {
    if interactions & CARRY_INTERACTION_DRAG.rawValue != 0 { drag?.interaction.isEnabled = enabled }
    if interactions & CARRY_INTERACTION_DROP.rawValue != 0 { drop?.interaction.isEnabled = enabled }
    if interactions & CARRY_INTERACTION_SPRING.rawValue != 0 { spring?.interaction.isEnabled = enabled }
  }

  /// Ends the region's callbacks, except those for drags that have begun in it.
  func destroy() {
    invalidate()
    drag = nil
    drop = nil
    silenceSpring()
    spring = nil
    region.onRefused = nil
    region.onTouchCancelled = nil
    region.invalidate()
    client.regions[ObjectIdentifier(self)] = nil
  }
}

private func rectangle(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) throws(Failure) -> Rect {
  guard width >= 0, height >= 0 else { throw .argument("a region's size is not negative: \(width)x\(height)") }
  return Rect(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
}

/// See carry.h.
@c @implementation
public func carry_region_create(
  _ client: OpaquePointer?, _ window: UInt32, _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let client = try object(client, ClientHandle.self)
    guard window != 0 else { throw .argument("0 is no X window: make the window before its regions") }
    let frame = try rectangle(x, y, width, height)
    let handle = RegionHandle(Region(client: client.client, window: window, frame: frame), client)
    client.regions[ObjectIdentifier(handle)] = handle
    handle.register()
    return handle.pointer
  }
}

/// See carry.h.
@c @implementation
public func carry_region_destroy(_ region: OpaquePointer?) { Handles.find(region, RegionHandle.self)?.destroy() }

/// See carry.h.
@c @implementation
public func carry_region_set_rectangle(
  _ region: OpaquePointer?, _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    handle.region.frame = try rectangle(x, y, width, height)
  }
}

/// See carry.h.
@c @implementation
public func carry_region_raise(_ region: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in try object(region, RegionHandle.self).region.raise() }
}

/// See carry.h.
@c @implementation
public func carry_region_set_enabled(_ region: OpaquePointer?, _ interactions: UInt32, _ enabled: Int32) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    guard interactions <= 7 else { throw .argument("\(interactions) has bits that are no interaction") }
    handle.setEnabled(interactions, enabled != 0)
  }
}

/// See carry.h.
@c @implementation
public func carry_region_set_simultaneous(_ region: OpaquePointer?, _ simultaneous: Int32) -> Int32 {
  status { () throws(Failure) in
    guard try object(region, RegionHandle.self).setSimultaneous(simultaneous != 0) else {
      throw Failure(CARRY_ERROR_STATE, "the region takes no drops: call carry_region_set_drop first")
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_region_set_own_pointer(_ region: OpaquePointer?, _ own: Int32) -> Int32 {
  status { () throws(Failure) in
    guard try object(region, RegionHandle.self).setOwnPointer(own != 0) else {
      throw Failure(CARRY_ERROR_STATE, "the region is no drag source: call carry_region_set_drag first")
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_region_set_obstacle(_ region: OpaquePointer?, _ obstacle: Int32) -> Int32 {
  status { () throws(Failure) in try object(region, RegionHandle.self).region.isObstacle = obstacle != 0 }
}

/// See carry.h.
@c @implementation
public func carry_region_ask_again(_ region: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in try object(region, RegionHandle.self).region.askAgain() }
}

/// See carry.h.
@c @implementation
public func carry_region_set_edge_zone(_ region: OpaquePointer?, _ pixels: Int32) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    guard (0...10_000).contains(pixels) else { throw .argument("an edge zone is 0 to 10000 pixels wide: \(pixels)") }
    guard handle.setEdgeZone(Int(pixels)) else {
      throw Failure(CARRY_ERROR_STATE, "the region takes no drops: call carry_region_set_drop first")
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_region_set_accepted_types(_ region: OpaquePointer?, _ types: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    let types = try text(types, "the types").split(separator: "\n").map(String.init)
    guard handle.setAcceptedTypes(types) else {
      throw Failure(CARRY_ERROR_STATE, "the region takes no drops: call carry_region_set_drop first")
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_region_refusal(_ region: OpaquePointer?) -> UnsafePointer<CChar>? {
  pointer { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    return handle.region.refusal.flatMap { handle.strings.pointer($0) }
  }
}

/// See carry.h.
@c @implementation
public func carry_region_set_refused(
  _ region: OpaquePointer?,
  _ refused: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Void)?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    guard let refused else { return handle.region.onRefused = nil }
    handle.region.onRefused = { [unowned client = handle.client] why in
      if !client.isDoomed { why.withCString { refused(user_data, $0) } }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_region_set_label(_ region: OpaquePointer?, _ label: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in try object(region, RegionHandle.self).region.label = try text(label, "the label") }
}

/// See carry.h.
@c @implementation
public func carry_region_set_touch_cancelled(
  _ region: OpaquePointer?, _ cancelled: (@convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void)?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    guard let cancelled else { return handle.region.onTouchCancelled = nil }
    handle.region.onTouchCancelled = { [unowned client = handle.client] touch in
      if !client.isDoomed { cancelled(user_data, touch) }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_region_set_drag(_ region: OpaquePointer?, _ callbacks: UnsafePointer<carry_drag_callbacks>?) -> Int32
{
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    handle.setDrag(try callbacks.map { (p) throws(Failure) in try CarryABI.callbacks(p, carry_drag_callbacks()) })
  }
}

/// See carry.h.
@c @implementation
public func carry_region_set_drop(_ region: OpaquePointer?, _ callbacks: UnsafePointer<carry_drop_callbacks>?) -> Int32
{
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    handle.setDrop(try callbacks.map { (p) throws(Failure) in try CarryABI.callbacks(p, carry_drop_callbacks()) })
  }
}

/// See carry.h.
@c @implementation
public func carry_region_set_spring(
  _ region: OpaquePointer?, _ callbacks: UnsafePointer<carry_spring_callbacks>?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    handle.setSpring(try callbacks.map { (p) throws(Failure) in try CarryABI.callbacks(p, carry_spring_callbacks()) })
  }
}
