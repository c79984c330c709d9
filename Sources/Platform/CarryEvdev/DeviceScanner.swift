package import CarryContacts
import CarrySystem

/// Looks for input devices.
package enum DeviceScanner {
  /// One node.
  package struct Found: Equatable, Sendable {
    package var node: String
    /// The device's name; from sysfs if the node cannot be read. Not made safe for a terminal.
    package var name: String
    package var kind: DeviceDescription.Kind
    /// Nil if the node can be read.
    package var problem: DeviceError?

    package init(node: String, name: String, kind: DeviceDescription.Kind, problem: DeviceError?) {
      self.node = node
      self.name = name
      self.kind = kind
      self.problem = problem
    }
  }

  /// All `event*` nodes in the order of their numbers.
  package static func list(devices: String = "/dev/input", classes: String = "/sys/class/input") -> [Found] {
    nodes(devices).map { inspect($0, classes: classes) }
  }

  /// The paths of all `event*` nodes in the order of their numbers.
  package static func nodes(_ devices: String = "/dev/input") -> [String] {
    Files.list(devices).compactMap { name in number(name).map { ($0, name) } }
      .sorted { $0.0 < $1.0 }.map { devices + "/" + $0.1 }
  }

  /// The number of an `event*` node; nil for other names.
  static func number(_ name: String) -> Int? {
    guard name.hasPrefix("event"), let first = name.dropFirst(5).utf8.first, (0x30...0x39).contains(first) else {
      return nil
    }
    return Int(name.dropFirst(5))
  }

  /// The device's kind according to sysfs, which everyone may read; the node is not opened. `.other` without sysfs.
  package static func kind(of node: String, classes: String = "/sys/class/input") -> DeviceDescription.Kind {
    description(sysfs: sysfs(of: node, classes)).kind
  }

  private static func sysfs(of node: String, _ classes: String) -> String {
    let name = node.lastIndex(of: "/").map { node[node.index(after: $0)...] } ?? node[...]
    return classes + "/" + name + "/device"
  }

  private static func inspect(_ node: String, classes: String) -> Found {
    let known = description(sysfs: sysfs(of: node, classes))
    do {
      let device = try EvdevDevice(node: node, identifiers: ContactIDSource())
      return Found(node: node, name: device.description.name, kind: device.description.kind, problem: nil)
    } catch {
      return Found(node: node, name: known.name, kind: known.kind, problem: error.of(known.kind))
    }
  }

  /// The description of a device in sysfs, which everyone may read: its name, properties, keys and axes, but not the
  /// axes' ranges.
  static func description(sysfs: String) -> DeviceDescription {
    func line(_ name: String) -> String {
      guard let bytes = try? Files.read(sysfs + "/" + name, limit: 1 << 16) else { return "" }
      return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }
    var d = DeviceDescription(name: line("name"))
    d.properties = CodeSet(bits(line("properties")))
    d.codes[Evdev.key] = CodeSet(bits(line("capabilities/key")))
    for code in bits(line("capabilities/abs")) { d.axes[code] = AxisRange(0, 0) }
    return d
  }

  /// The numbers of the bits set in a mask of 64-bit words in hexadecimal, the highest first.
  private static func bits(_ text: String) -> [UInt16] {
    var result: [UInt16] = []
    for (i, word) in text.split(separator: " ").reversed().prefix(12).enumerated() {
      guard let value = UInt64(word, radix: 16) else { continue }
      for bit in 0..<64 where value & (1 << UInt64(bit)) != 0 { result.append(UInt16(i * 64 + bit)) }
    }
    return result
  }
}
