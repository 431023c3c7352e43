package import struct Foundation.Date

/// What a server tells by itself, while somebody listens.
package enum LiveNews: Hashable, Sendable {
  /// Connected: what happens from here on is told.
  case opened
  /// Something has changed. To go on after it, the listener names `eventID`.
  case changed(LiveChange, eventID: String)
  /// Not connected; the next attempt is at that moment.
  case waiting(until: Date, attempt: Int)
  /// It is over: the server has nothing to tell, or does not want to.
  case ended(SourceError?)
}

/// A change that a server tells of, by the entry it is about.
package enum LiveChange: Hashable, Sendable {
  case added(entry: String)
  case updated(entry: String)
  case removed(entry: String)
  case commented(entry: String)
  /// The server cannot say what has happened since: the newest page has to be fetched.
  case missed
}
