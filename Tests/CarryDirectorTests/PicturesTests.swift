import CarryDirector
import CarryModel
import Testing

/// What is shown, and when.
@Suite struct PicturesTests {
  @Test("L8, L15: the picture follows its window while it rises, and is as it is from the drag on") func L15_following()
    throws
  {
    let s = try Scene()
    s.down(Point(x: 100, y: 100))
    s.pass(.milliseconds(200))
    try s.answer()
    #expect(s.screen.followed.count == 1)
    s.pass(.milliseconds(500))
    s.move(Point(x: 150, y: 100))
    #expect(s.screen.followed.isEmpty)
  }

  @Test("P15: a hidden item has no picture") func P15_hidden() throws {
    let s = try Scene()
    s.down(Point(x: 100, y: 100))
    s.pass(.milliseconds(200))
    try s.answer(preview: .hidden)
    s.pass(.milliseconds(500))
    #expect(s.screen.images.isEmpty && s.screen.followed.isEmpty)
  }

  @Test("P17: while the X server draws no frame is asked for, and the next one is not waited for") func P17_busy()
    throws
  {
    let s = try Scene()
    try s.carryOver()
    s.screen.isBusy = true
    let frames = s.screen.frames
    s.move(Point(x: 720, y: 110))
    s.turn()
    #expect(s.screen.frames == frames)
    s.pass(.milliseconds(100))
    #expect(s.screen.frames == frames)
    s.screen.isBusy = false
    s.turn()
    #expect(s.screen.frames == frames + 1)
  }

  @Test("P17: a stack at rest costs no frame and no wake-up") func P17_rest() throws {
    let s = try Scene()
    try s.carryOver()
    s.pass(.seconds(3))
    let frames = s.screen.frames
    s.pass(.seconds(10))
    #expect(s.screen.frames == frames)
  }

  @Test("P16: what a source offers is asked for once a frame, though it is offered with every motion") func P16_offers()
    throws
  {
    let s = try Scene()
    try s.carryOver()
    for _ in 0..<100 { s.director.offeredPreview(Scene.source, Scene.session, of: ItemID(1)) }
    #expect(s.clients.wanted.count == 1)
    s.pass(.seconds(1))
    #expect(s.clients.wanted.count == 2)
  }

  @Test("pictures asked for faster than they can be shown are made as the newest says, once a frame")
  func changes() throws {
    let s = try Scene()
    var look = PreviewDescription()
    look.picture = .image(ImageID(77), Size(width: 50, height: 50))
    s.clients.previews[PreviewID(1)] = look
    try s.carryOver()
    let made = s.screen.made
    for _ in 0..<100 { s.director.changedPreview(Scene.source, Scene.session, item: ItemID(1), PreviewID(1)) }
    s.turn()
    #expect(s.screen.made - made == 1)
  }
}
