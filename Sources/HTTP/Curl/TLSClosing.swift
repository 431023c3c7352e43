/// Whether the server has announced the end of a connection (close_notify, RFC 8446 §6.1), as OpenSSL shows
/// the records that come in. libcurl takes an end without it for the end of the body (7.88 with OpenSSL 3
/// does), although anybody on the way can end a connection.
struct TLSClosing {
  /// Whether a record with data was shown: the library shows those of this connection.
  private var showsRecords = false
  private var isAnnounced = false

  /// Whether the connection ended unannounced. False where the library shows no records.
  var isUnannounced: Bool { showsRecords && !isAnnounced }

  /// Reads what is shown of a record: its header, its inner type (TLS 1.3), or its content where that is no
  /// data.
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
