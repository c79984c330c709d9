/// What one media type is to another, such as `text/plain;charset=utf-8` to `text/*`.
package enum MediaType {
  /// Whether a type is just the wanted one, whatever its parameters are.
  package static func isJust(_ type: String, _ wanted: String) -> Bool {
    type == wanted || type.prefix { $0 != ";" } == wanted
  }

  /// Whether it stands for many types, as `image/*` does, and is none that data can have.
  package static func isPattern(_ type: String) -> Bool { type.prefix { $0 != ";" }.hasSuffix("/*") }

  /// Whether a type is the wanted one or a kind of it. `image/*` stands for every image, `*/*` for everything.
  ///
  /// - Parameter ancestors: the types that it conforms to.
  package static func conforms(_ type: String, _ ancestors: [String], to wanted: String) -> Bool {
    if isJust(type, wanted) || wanted == "*/*" { return true }
    if wanted.hasSuffix("/*") { return type.prefix { $0 != ";" }.hasPrefix(wanted.dropLast()) }
    return ancestors.contains(wanted)
  }
}
