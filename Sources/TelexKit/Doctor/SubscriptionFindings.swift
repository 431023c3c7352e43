internal import Foundation
internal import News
internal import Services
internal import Text

/// Findings about the sign-in and the subscription of an address.
struct SubscriptionFindings {
  let diagnosis: Diagnosis
  let feed: Feed?
  let account: SignIn?
  let now: Date

  var findings: [Finding] { [signInFinding] + (feed.map { [feedFinding($0)] } ?? []) }

  private var signInFinding: Finding {
    if feed?.signIn != nil {
      return .ok("sign-in", "Sign-in", "with a name and password of this feed alone")
    }
    guard let account else {
      return .skipped("sign-in", "Sign-in", "none at this origin")
    }
    return .ok("sign-in", "Sign-in", "with \(account.scheme.summary)")
  }

  private func feedFinding(_ feed: Feed) -> Finding {
    let state = feed.state
    var details: [String] = []
    if let date = state.lastAttempt { details.append("tried \(Measures.age(of: date, at: now))") }
    if let date = state.lastSuccess { details.append("worked \(Measures.age(of: date, at: now))") }
    if let next = state.nextAttempt, next > now {
      let wait = Measures.long(seconds: Int64(next.timeIntervalSince(now)))
      details.append("not asked by itself for \(wait)")
    }
    let text = "number \(feed.id.rawValue), \(feed.counts.total) articles"
    let known = [details.joined(separator: ", ")].filter { !$0.isEmpty }
    if state.isGone {
      return .attention(
        "feed", "Subscribed", text + ", gone for good", known,
        next: "telex remove \(feed.id.rawValue)")
    }
    guard let error = state.error else { return .ok("feed", "Subscribed", text, known) }
    var failing = "the last refresh failed"
    if let run = state.failing {
      failing =
        "failing for \(Measures.span(since: run.since, at: now)), "
        + Measures.counted(run.count, "time")
    }
    return .attention(
      "feed", "Subscribed", text, ["\(failing): \(error.message.withoutStop)"] + known,
      next: isWorthRefreshing ? "telex refresh \(feed.id.rawValue)" : nil)
  }

  /// Whether there is a feed now.
  private var isWorthRefreshing: Bool {
    switch diagnosis.document {
    case .feed?, .api(.success)?: true
    case .api(.failure)?, .page?, .unreadable?, nil: false
    }
  }
}
