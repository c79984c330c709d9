import CarryContacts
import CarryEvdev
import CarryLoop
import CarryModel
import CarrySystem

/// Finds the X server's touches for the fingers that a node reports as well.
protocol CompanionReceiver: AnyObject {
  /// Handles a contact of a node that the X server reads too.
  ///
  /// - Parameter point: where it is, as 0…1 of the device.
  func handle(_ contact: Contact, of node: String, at point: Point, time: Instant)
}

/// The nodes of touchscreens that the X server reads too. Fingers come from the server, with the server's positions.
/// The nodes only add what the server leaves out, such as that a touch turned out to be a palm.
final class NodeCompanions {
  private final class Companion {
    let device: EvdevDevice
    let mapping: ScreenMapping
    var watch: EventLoop.Source?

    init(_ device: EvdevDevice) {
      self.device = device
      // As 0…1 of the device, like the X server's raw positions.
      mapping = ScreenMapping(device.description, screen: Rect(x: 0, y: 0, width: 1, height: 1))
    }
  }

  private var companions: [String: Companion] = [:]
  private let identifiers = ContactIDSource()
  private let loop: EventLoop
  private unowned let receiver: any CompanionReceiver

  init(_ loop: EventLoop, _ receiver: any CompanionReceiver) {
    self.loop = loop
    self.receiver = receiver
  }

  /// Whether a node is being read. First closes a node whose device is gone: another device may have its name by now.
  func isReading(_ node: String) -> Bool {
    if let companion = companions[node] { read(companion, node) }
    return companions[node] != nil
  }

  /// Starts reading the node.
  func add(node: String) throws(DeviceError) {
    guard companions[node] == nil else { return }
    let companion = Companion(try EvdevDevice(node: node, identifiers: identifiers))
    companions[node] = companion
    companion.watch = loop.watch(companion.device.fd) { [weak self, weak companion] in
      guard let self, let companion else { return }
      self.read(companion, node)
    }
    Log.info("reading \(node) beside the X server: \(SafeText.displayable(companion.device.description.name))")
  }

  private func read(_ companion: Companion, _ node: String) {
    do {
      try companion.device.readFrames { frame in
        for contact in frame.contacts {
          let point = companion.mapping.point(x: contact.x, y: contact.y)
          receiver.handle(contact, of: node, at: point, time: frame.time)
        }
      }
    } catch {
      Log.warning(error.sentence)
      remove(node)
    }
  }

  /// The X server no longer reads the node. Reads it once more, to learn whether its device is gone.
  func release(_ node: String) {
    if isReading(node) { remove(node) }
  }

  private func remove(_ node: String) { companions.removeValue(forKey: node)?.watch?.cancel() }
}
