/// Every constant of the user's experience; the configuration file has a key for each.
package struct Settings: Equatable, Sendable {
  /// PH1: whether drag interactions that say nothing of their own are enabled: not so on small screens.
  package var dragsAreEnabled = true
  /// A still touch begins to lift after this.
  package var liftBegins = Interval.milliseconds(150)
  /// A still touch has lifted after this.
  package var liftCompletes = Interval.milliseconds(500)
  /// Movement that fails a press, in pixels at 96 dpi.
  package var pressSlop = 10.0
  /// Movement after the lift that starts the drag, in pixels at 96 dpi.
  package var dragSlop = 10.0
  /// The same for what a trackpad carries at the pointer, which rests more quietly than a finger.
  package var pointerDragSlop = 4.0
  /// A touch this short is a tap…
  package var tapLongest = Interval.milliseconds(250)
  /// …if it moved no further than this, in pixels at 96 dpi.
  package var tapSlop = 10.0
  /// How long a drag hovers over a spring-loaded region before it flashes.
  package var springDelay = Interval.milliseconds(500)
  /// One flash of a spring-loaded region.
  package var springFlash = Interval.milliseconds(100)
  package var springFlashes = 3
  /// Movement within which a hovering drag counts as still, in pixels at 96 dpi.
  package var springSlop = 10.0
  /// Z10: whether windows come to the front when a drag is held over their entry in a task bar, or over what can be seen
  /// of them.
  package var springsWindows = true
  /// How long it is held there.
  package var windowDelay = Interval.milliseconds(1000)
  /// A target that came under a still finger takes a drop after this only; one that the finger went to, at once.
  package var targetSettles = Interval.milliseconds(80)
  /// Z13: whether what would take a drag is shown as it begins.
  package var highlightsTargets = false
  /// How long a drag is in the edge zone of a target before that is told to scroll.
  package var edgeDwell = Interval.milliseconds(200)
  /// How far above the touch a precise proposal puts the drop point, in pixels at 96 dpi.
  package var precisionOffset = 25.0
  /// Flying home; grows with the distance.
  package var cancelAnimation = Interval.milliseconds(250)
  /// Z18: movements that nobody makes by hand are cuts.
  package var reducesMotion = false
  /// K3: of up to so many items each is asked how it looks and lands, and animated on its own.
  package var fewItems = Limits.fewItems
  /// A carrying contact that vanishes may come back within this time…
  package var flickerWait = Interval.milliseconds(60)
  /// …and this distance in millimetres: real panels drop a held contact now and then.
  package var flickerMillimetres = 5.0
  /// Z14: the key that picks up, wherever the focus is; nil for none: whatever it were, some desktop has it for something
  /// else.
  package var pickUpKey: KeyChord?
  /// Whether trackpads carry too. Off: it may disagree with the desktop's own gestures.
  package var trackpads = false
  /// A finger that left the trackpad in mid-carry may come back within this time; then it drops.
  package var trackpadRegrip = Interval.milliseconds(500)
  /// Where a tap comes before the press, the press comes within this time after it.
  package var trackpadTapAgain = Interval.milliseconds(250)
  /// How far the pointer of a recording goes for a millimetre on the pad.
  package var trackpadPixelsPerMillimetre = 10.0

  package init() {}
}
