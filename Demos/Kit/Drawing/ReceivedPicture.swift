import Carry

/// A picture that was dropped, and the file that it came as.
package struct ReceivedPicture: ItemProviderReading {
  package let picture: Picture
  package let bytes: [UInt8]
  /// The media type that the bytes show, whatever the source has said.
  package let type: String

  package static var readableTypesForItemProvider: [String] { Picture.readableTypes }

  private struct NoPicture: Error, CustomStringConvertible { let description = "it is no picture that can be read" }

  package init(itemProviderData data: [UInt8], type: String) throws {
    guard let (picture, type) = Picture.decode(data) else { throw NoPicture() }
    (self.picture, self.type, bytes) = (picture, type, data)
  }
}

/// What everybody can read, made when somebody wants it.
extension Picture: ItemProviderWriting {
  package static let writableTypesForItemProvider = ["image/png"]
  package var preferredPresentationSizeForItemProvider: (width: Int, height: Int)? { (width, height) }
  package func loadRepresentation(forType type: String) -> [UInt8] { png() }
}
