import CEvdev
import CLinux
import CarrySystem

/// Whether the user at the seat may read touchscreens, and which udev rule allows it.
package enum DeviceAccess {
  /// The directories in which udev looks for rules, the most important first.
  private static let directories = [
    "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
    "/lib/udev/rules.d",
  ]

  /// The rule that gives the user at the seat access to touchscreens; nil if it is not installed.
  package static func installedRule(in directories: [String]? = nil) -> String? {
    (directories ?? self.directories).map { $0 + "/70-carry.rules" }.first { Files.exists($0) }
  }

  /// How to install the rule for udev: by copying the rule that was installed with this program, or else the rule in
  /// the sources.
  package static var installing: String {
    var path = [CChar](repeating: 0, count: 4096)
    let n = readlink("/proc/self/exe", &path, path.count)
    let program = String(decoding: path.prefix(max(0, n)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return installing(besides: program)
  }

  /// - Parameter program: the path of the program, inside the folder `bin` of its installation.
  package static func installing(besides program: String) -> String {
    let parts = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    let rule = parts.joined(separator: "/") + "/lib/udev/rules.d/70-carry.rules"
    return Files.exists(rule)
      ? "run: sudo install -m 644 \(rule) /etc/udev/rules.d/" : "install udev/70-carry.rules into /etc/udev/rules.d"
  }

  /// Whether udev runs and knows its devices: in containers it often does not.
  package static var udevRuns: Bool { Files.exists("/run/udev/control") }

  /// Whether udev has tagged a node for the user at the seat; nil if udev does not know the node. The corresponding C
  /// function is `udev_device_has_current_tag`.
  package static func isTagged(_ node: String) -> Bool? {
    let name = node.lastIndex(of: "/").map { String(node[node.index(after: $0)...]) } ?? node
    guard let udev = udev_new() else { return nil }
    defer { udev_unref(udev) }
    guard let device = udev_device_new_from_subsystem_sysname(udev, "input", name) else { return nil }
    defer { udev_device_unref(device) }
    guard udev_device_get_is_initialized(device) > 0 else { return nil }
    return udev_device_has_current_tag(device, "uaccess") > 0
  }

  /// The command that makes udev read its rules again and apply them to the present devices.
  package static let reload = "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=input"

  /// The command that makes a node readable, for a person to run.
  package static func advice(for node: String, rule: String?, isTagged: Bool?) -> String {
    let once = "sudo setfacl -m u:$USER:r \(node)"
    guard rule != nil else {
      return "\(installing), then run: \(reload); or until the next start: \(once)"
    }
    // Tagged and still not readable: this session is not the one at the seat; it came over SSH, for example.
    if isTagged == true { return "log in at the seat that the device belongs to, or run: \(once)" }
    return "run: \(reload); or until the next start: \(once)"
  }

  /// The same advice, for the rule and the tag as they are now.
  package static func advice(for node: String) -> String {
    advice(for: node, rule: installedRule(), isTagged: isTagged(node))
  }
}
