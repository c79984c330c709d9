/// The version of all of Carry's programs and of its library.
package enum Version {
  package static let text: StaticString = "0.1.0"
}
