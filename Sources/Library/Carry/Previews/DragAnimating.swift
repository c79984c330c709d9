import CLinux
import CarryModel
import CarrySystem
import CarryWireClient

/// An animation of the engine, alongside which the application can run its own: while items rise, fly back, or land.
public protocol DragAnimating: AnyObject {
  /// Adds a closure for every step. `fraction` is the progress of the animation: 0 at its beginning and 1 at its end,
  /// following the engine's curve. A reversed lift runs back to 0. Called on the client's thread.
  func addAnimations(_ animations: @escaping (_ fraction: Double) -> Void)
  /// Adds a closure that is called when the animation has reached its end, or is back at its start.
  func addCompletion(_ completion: @escaping (AnimatingPosition) -> Void)
}

/// The application's closures that run alongside one animation of the engine, synchronised by the engine's clock.
final class Animator: DragAnimating {
  private var animations: [(Double) -> Void] = []
  private var completions: [(AnimatingPosition) -> Void] = []
  private var from = 0.0
  private var to = 1.0
  private var motion: WireMotion?
  private var isOver = false
  private let curve: Easing

  /// - Parameter curve: the stage's curve for the same animation, so that both stay in step.
  init(_ curve: Easing) { self.curve = curve }

  /// Whether no closure was added.
  var isIdle: Bool { animations.isEmpty && completions.isEmpty }

  func addAnimations(_ animations: @escaping (Double) -> Void) { self.animations.append(animations) }
  func addCompletion(_ completion: @escaping (AnimatingPosition) -> Void) { completions.append(completion) }

  /// Starts when the engine has begun.
  func start(_ motion: WireMotion) { if !isOver { self.motion = motion } }

  /// Reverses when the engine does.
  func reverse(_ motion: WireMotion) {
    guard !isOver else { return }
    from = fraction(at: motion.start)
    to = 0
    self.motion = motion
  }

  private func fraction(at now: Instant) -> Double {
    guard let motion else { return from }
    return mix(from, to, curve(progress(from: motion.start, for: motion.duration, at: now)))
  }

  /// - Returns: whether more steps follow.
  func step(at now: Instant) -> Bool {
    guard let motion, !isOver else { return false }
    let fraction = fraction(at: now)
    for animation in animations { animation(fraction) }
    return now - motion.start < motion.duration
  }

  /// Runs the last step and the completions, once, even if no step ran before.
  func finish(_ position: AnimatingPosition) {
    guard !isOver else { return }
    isOver = true
    for animation in animations { animation(position == .end ? 1 : 0) }
    for completion in completions { completion(position) }
    (animations, completions) = ([], [])
  }
}

/// Steps the running animators sixty times a second, and stops its timer if there are none.
final class AnimationClock {
  private let timer: Descriptor
  private var running: [Animator] = []
  /// The usual refresh interval of a screen. Drawing follows the engine's clock, whatever the steps are.
  private static let interval = 16_666_667

  init() throws(SystemError) {
    timer = Descriptor(
      owning: try check("timerfd_create") {
        timerfd_create(CInt(CLOCK_MONOTONIC), CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
      })
  }

  var descriptor: CInt { timer.raw }

  func run(_ animator: Animator) {
    guard !animator.isIdle else { return }
    if running.isEmpty { arm(true) }
    if !running.contains(where: { $0 === animator }) { running.append(animator) }
    _ = animator.step(at: MonotonicClock.now())
  }

  /// Steps the running animators if a step is due.
  func turn() {
    guard !running.isEmpty else { return }
    var ticks: UInt64 = 0
    guard read(timer.raw, &ticks, 8) == 8 else { return }
    let now = MonotonicClock.now()
    // A step may begin or end other animators.
    for animator in running where !animator.step(at: now) { running.removeAll { $0 === animator } }
    if running.isEmpty { arm(false) }
  }

  private func arm(_ on: Bool) {
    var spec = itimerspec()
    if on {
      spec.it_interval.tv_nsec = Self.interval
      spec.it_value.tv_nsec = Self.interval
    }
    timerfd_settime(timer.raw, 0, &spec, nil)
  }
}
