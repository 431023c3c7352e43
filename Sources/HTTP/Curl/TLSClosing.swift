/// Whether the server has said that it closes a connection (close_notify, RFC 8446 §6.1), as OpenSSL
/// shows the records that come in. Pure.
///
/// libcurl takes the end of a connection without it for the end of the body (7.88 with OpenSSL 3 does, and
/// says nothing), although anybody on the way can end a connection.
struct TLSClosing {
  /// A record with data was shown: the library shows those of this connection.
  private var showsRecords = false
  private var isAnnounced = false

  /// The connection ended, and nobody has said so. False where the library shows nothing.
  var isUnannounced: Bool { showsRecords && !isAnnounced }

  /// Takes what is shown of a record: its header, its inner type (TLS 1.3), or what it holds where that is
  /// no data.
  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    switch bytes.count {
    // Nothing else that is shown is two bytes long: level and description of an alert.
    case 2: if bytes[1] == 0 { isAnnounced = true }
    // An earlier alert ended another connection, which was kept and looked at.
    case 5: if bytes[0] == 23 { (showsRecords, isAnnounced) = (true, false) }
    default: break
    }
  }
}
