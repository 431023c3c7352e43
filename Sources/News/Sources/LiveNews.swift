package import struct Foundation.Date

/// State or event of a live connection.
package enum LiveNews: Hashable, Sendable {
  /// Connected: events from now on are delivered.
  case opened
  /// An event. `eventID` resumes the stream after it.
  case changed(LiveChange, eventID: String)
  /// Not connected; the next attempt is at that moment.
  case waiting(until: Date, attempt: Int)
  /// The stream has ended: the server offers no events, or refuses them.
  case ended(SourceError?)
}

/// Change of an entry at its server.
package enum LiveChange: Hashable, Sendable {
  case added(entry: String)
  case updated(entry: String)
  case removed(entry: String)
  case commented(entry: String)
  /// The server no longer has all events: the newest page has to be fetched.
  case missed
}
