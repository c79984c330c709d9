import CarryModel

/// The policy and the programs' manifests. Mistakes in these are not visible on the screen: a broken policy forbids
/// every drag, and a broken manifest makes its program a stranger.
extension Checkup {
  var policyFinding: Finding {
    if let problem = policyProblems.first {
      return Finding(
        "policy", .failed,
        SafeText.displayable(problem.sentence, limit: 1024)
          + "; until it is repaired, no drag goes from one program to another",
        advice: "carry-policy(5) describes policies")
    }
    return Finding("policy", .ok, Self.count(policy.rules.count, "rule"))
  }

  var manifestsFinding: Finding {
    guard let problem = manifestProblems.first else {
      if let problem = programProblems.first {
        return Finding(
          "manifests", .warning, SafeText.displayable(problem.sentence, limit: 1024),
          advice: "install it there, or correct the manifest: carry-policy(5)")
      }
      return Finding("manifests", .ok, Self.count(manifestCount, "manifest"))
    }
    let others = manifestProblems.count - 1
    let more = others > 0 ? " (and \(Self.count(others, "other mistake")))" : ""
    return Finding(
      "manifests", .warning,
      "\(SafeText.displayable(problem.sentence, limit: 1024))\(more); such a manifest does not count",
      advice: "carry-policy(5) describes manifests")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 0 ? "no \(noun)s" : "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
