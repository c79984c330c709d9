/// Compares media types, such as `text/plain;charset=utf-8` with `text/*`.
package enum MediaType {
  /// Whether a type equals the wanted type, ignoring its parameters.
  package static func isJust(_ type: String, _ wanted: String) -> Bool {
    type == wanted || type.prefix { $0 != ";" } == wanted
  }

  /// Whether the text is a pattern such as `image/*`, which cannot be the type of data.
  package static func isPattern(_ type: String) -> Bool { type.prefix { $0 != ";" }.hasSuffix("/*") }

  /// Whether a type is the wanted type or conforms to it. `image/*` matches every image, `*/*` everything.
  ///
  /// - Parameter ancestors: the types to which the type conforms.
  package static func conforms(_ type: String, _ ancestors: [String], to wanted: String) -> Bool {
    if isJust(type, wanted) || wanted == "*/*" { return true }
    if wanted.hasSuffix("/*") { return type.prefix { $0 != ";" }.hasPrefix(wanted.dropLast()) }
    return ancestors.contains(wanted)
  }
}
