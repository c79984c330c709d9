package import CarryModel
import CarrySessions
import CarryStage

/// The requests of the shelf.
extension Director {
  /// The largest picture that the shelf shows, at 96 dpi.
  private static let pictureSide = 96.0

  package func keep(_ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int) -> KeptPicture? {
    guard let kept = engine.keep(by: client, session, region: region, item: item) else { return nil }
    guard let picture = pictures.stage.picture(ofItem: item, in: session),
      let copy = screen.copyPicture(
        picture.image, size: picture.size, within: Self.pictureSide * max(1, pictures.stage.scale))
    else { return KeptPicture(item: kept, pixmap: nil, size: .zero) }
    keptPictures[kept] = copy.pixmap
    return KeptPicture(item: kept, pixmap: copy.pixmap, size: copy.size)
  }

  package func otherDragChanged(_ point: Point?) { otherDrag = point }

  package func releasedKept(_ client: ClientID, _ item: KeptItemID) {
    send(.releaseKept(client: client, item: item), at: clock())
  }
}
