/// How a server of the Google Reader API departs from the others: one value for each product that was
/// seen, made of switches that a test can turn by themselves.
package struct GoogleReaderQuirks: Sendable, Hashable {
  /// What the server answers to those who look for it.
  package enum Product: Sendable, Hashable {
    case plain
    case freshRSS
    case miniflux
    case theOldReader
    case bazQux
    case commaFeed
  }

  /// How ids of items are written.
  package enum IDs: Sendable, Hashable {
    /// 64 bits: decimal in lists of ids, 16 hex digits behind `tag:`.
    case numbers
    /// 24 hex digits in both places.
    case objectIDs
  }

  /// What a continuation is, and what comes of it.
  package enum Continuation: Sendable, Hashable {
    /// The id of the last item. The next page drops its own first item as the one that came already, even
    /// where that one has left the stream. What is no id begins again.
    case lastID
    /// A number of items to skip, which shifts with their states.
    case offset
    /// An id, while the order is that of publication: pages lose items.
    case unorderedID
  }

  /// What becomes of a label of an item.
  package enum ItemLabels: Sendable, Hashable {
    case kept
    case refused
    /// `OK`, and nothing is kept.
    case ignored
  }

  package enum Body: Sendable, Hashable {
    case summary
    case both
  }

  /// What `ot` and `nt` compare.
  package enum Time: Sendable, Hashable {
    case crawled
    case published
    case ignored
  }

  /// How the write token is checked.
  package enum WriteToken: Sendable, Hashable {
    /// Beside the header; an empty one passes.
    case lenient
    case required
  }

  package var product = Product.plain
  /// The path of the API, without a slash at its end.
  package var basePath = ""
  package var ids = IDs.numbers
  package var continuation = Continuation.lastID
  package var defaultPage = 20
  package var largestPage: Int?
  package var largestContents: Int?
  package var largestEdit: Int?
  /// A continuation comes with each full page, the last one included.
  package var endsWithEmptyPage = true
  /// The status of a wrong name or password.
  package var refusedSignIn = 401
  /// Seconds that a sign-in lasts.
  package var signInLifetime: Int64?
  /// A header with the reason, on refusal.
  package var givesSignInReason = false
  package var writeToken = WriteToken.required
  /// Padded with Z to 57 characters.
  package var padsWriteToken = false
  /// A refused write token is named by a header.
  package var namesBadToken = false
  /// Writes are signed by the token alone.
  package var ignoresHeaderOnWrites = false
  package var contentsTakeToken = false
  package var wantsJSONOutput = true
  package var hasUnreadCounts = true
  package var hasStreamContents = true
  package var itemLabels = ItemLabels.kept
  package var hasQuickAdd = true
  package var hasLabelEdits = true
  package var hasReadStream = false
  package var hasLabelStream = true
  package var excludable: Set<String> = ["read", "unread", "starred"]
  package var body = Body.summary
  package var time = Time.crawled
  /// Bytes of the largest body.
  package var largestPost: Int?
  /// So many pairs of a body are read for anything but ids (PHP's `max_input_vars`).
  package var readPairs: Int?
  /// Slow marks.
  package var millisecondsPerMark = 0
  /// Subscribing twice, or ending what there is not, is answered with 400.
  package var refusesReplays = false
  /// Any folder that is taken away puts the feed outside all of them.
  package var removalMovesToRoot = false
  package var oneFolderPerFeed = false
  /// Headers that every call has to carry.
  package var applicationKey: (id: String, key: String)? {
    get { keyParts.count == 2 ? (keyParts[0], keyParts[1]) : nil }
    set { keyParts = newValue.map { [$0.id, $0.key] } ?? [] }
  }
  private var keyParts: [String] = []
  /// Calls a day, of reads and of writes each.
  package var quota: Int?

  package init() {}

  package static let plain = GoogleReaderQuirks()

  /// FreshRSS 1.25, `p/api/greader.php`.
  package static let freshRSS: GoogleReaderQuirks = {
    var quirks = GoogleReaderQuirks()
    quirks.product = .freshRSS
    quirks.basePath = "/api/greader.php"
    quirks.writeToken = .lenient
    quirks.padsWriteToken = true
    quirks.namesBadToken = true
    quirks.largestPost = 1 << 20
    quirks.readPairs = 1_000
    quirks.oneFolderPerFeed = true
    quirks.refusesReplays = true
    return quirks
  }()

  /// Miniflux 2, `internal/googlereader`.
  package static let miniflux: GoogleReaderQuirks = {
    var quirks = GoogleReaderQuirks()
    quirks.product = .miniflux
    quirks.continuation = .offset
    quirks.largestPage = 10_000
    quirks.endsWithEmptyPage = false
    quirks.ignoresHeaderOnWrites = true
    quirks.contentsTakeToken = true
    quirks.hasUnreadCounts = false
    quirks.hasStreamContents = false
    quirks.itemLabels = .refused
    quirks.hasReadStream = true
    quirks.hasLabelStream = false
    quirks.excludable = ["read"]
    quirks.oneFolderPerFeed = true
    quirks.body = .both
    quirks.time = .published
    return quirks
  }()

  /// The Old Reader (theoldreader/api).
  package static let theOldReader: GoogleReaderQuirks = {
    var quirks = GoogleReaderQuirks()
    quirks.product = .theOldReader
    quirks.ids = .objectIDs
    quirks.largestPage = 10_000
    quirks.largestContents = 1_000
    quirks.removalMovesToRoot = true
    quirks.oneFolderPerFeed = true
    quirks.refusedSignIn = 403
    return quirks
  }()

  /// BazQux Reader (bazqux/bazqux-api).
  package static let bazQux: GoogleReaderQuirks = {
    var quirks = GoogleReaderQuirks()
    quirks.product = .bazQux
    quirks.largestPage = 50_000
    quirks.largestContents = 1_000
    quirks.largestEdit = 10_000
    quirks.givesSignInReason = true
    quirks.signInLifetime = 14 * 86_400
    quirks.time = .ignored
    return quirks
  }()

  /// CommaFeed 7.3.
  package static let commaFeed: GoogleReaderQuirks = {
    var quirks = GoogleReaderQuirks()
    quirks.product = .commaFeed
    quirks.basePath = "/rest/googlereader"
    quirks.continuation = .unorderedID
    quirks.largestPage = 1_000
    quirks.refusedSignIn = 403
    quirks.itemLabels = .ignored
    quirks.hasQuickAdd = false
    quirks.hasLabelEdits = false
    quirks.removalMovesToRoot = true
    quirks.oneFolderPerFeed = true
    quirks.time = .ignored
    return quirks
  }()

  /// Inoreader: the key of an application on every call, and a quota.
  package static let inoreader: GoogleReaderQuirks = {
    var quirks = GoogleReaderQuirks()
    quirks.largestPage = 1_000
    quirks.applicationKey = ("1000001", "key")
    quirks.quota = 100
    return quirks
  }()
}
