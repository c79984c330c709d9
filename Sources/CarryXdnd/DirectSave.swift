/// What is said of a file that was to be saved where the target of a drop wants it (XDS).
package enum DirectSaveAnswer: UInt8, Sendable {
  /// `S`: the file is there.
  case saved = 0x53
  /// `F`: it could not be saved there. The target may ask for the bytes.
  case refused = 0x46
  /// `E`: there is nothing to be had.
  case failed = 0x45

  /// - Parameter data: as the source has answered; what is none of the letters is nothing.
  package init(_ data: [UInt8]) { self = data.count == 1 ? Self(rawValue: data[0]) ?? .failed : .failed }
}
