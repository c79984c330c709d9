/// The result of saving a file where the drop's target wants it (XDS).
package enum DirectSaveAnswer: UInt8, Sendable {
  /// `S`: the file has been saved.
  case saved = 0x53
  /// `F`: it could not be saved there. The target may request the bytes.
  case refused = 0x46
  /// `E`: there is no data.
  case failed = 0x45

  /// - Parameter data: The source's reply. Anything but one of the letters yields nil.
  package init(_ data: [UInt8]) { self = data.count == 1 ? Self(rawValue: data[0]) ?? .failed : .failed }
}
