package import News

/// Report on the repair of a damaged store.
package struct StoreRecovery: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case begun
    /// Indexes, or the search index, were rebuilt from the rows. Nothing was lost.
    case rebuilt
    /// The readable rows were copied into a new database.
    case carried(Carried)
    /// The file was no database of Telex; a new database was created.
    case foreign
    /// The file was empty; a new database was created in it.
    case empty
    /// Another process has put a new database in its place.
    case followed
  }

  package struct Carried: Hashable, Sendable {
    package var feeds = 0
    package var articles = 0
    /// Articles that are known to have been there and could not be read.
    package var lostArticles = 0
    /// Of these, how many keep place and marks, and a readable text, until their feed brings them
    /// again.
    package var keptPlaces = 0
    package var lostFeeds = 0
    /// Feeds with only an address left. They are not fetched by themselves: proxy and sign-in are
    /// lost.
    package var bareFeeds = 0
    /// Articles whose marks could not be read; they are unread and without a star.
    package var lostMarks = 0
    /// Other kinds of rows of which some could not be read, in the user's words.
    package var incomplete: [String] = []
    package var isUnreadable = false
    /// Articles without their text, until the next refresh.
    package var withoutText = 0
  }

  package var outcome: Outcome
  /// Where the damaged file lies now, with its log beside it.
  package var setAside: String?

  /// One or two sentences without a full stop.
  package var message: String {
    switch outcome {
    case .begun: "the database is damaged; what can be read is being saved"
    case .rebuilt: "the database was damaged; its indexes were made anew, and nothing was lost"
    case .empty: "the database file was empty; a new database was begun in it"
    case .foreign: "there was no database of Telex's but another file; a new database was begun"
    case .followed: "another database lies in the place of the one that was open"
    case .carried(let carried): carried.message
    }
  }

  package var next: String? {
    setAside.map {
      outcome == .foreign ? "it is kept as \($0)" : "the damaged file is kept as \($0)"
    }
  }

  /// In the form in which the screen and the verbs tell of errors.
  package func error(subject: String) -> SourceError {
    SourceError(.store, stage: .store, subject: subject, message: message, next: next)
  }
}

extension StoreRecovery.Carried {
  fileprivate var message: String {
    func counted(_ count: Int, _ thing: String) -> String {
      "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
    var losses: [String] = []
    if isUnreadable {
      return "the database was damaged, and nothing of it could be read; a new one was begun"
    }
    if bareFeeds > 0 {
      losses.append(
        "\(counted(bareFeeds, "feed")) lost all but the address, and \(bareFeeds == 1 ? "is" : "are") "
          + "asked when you say so")
    }
    if lostFeeds > 0 { losses.append("\(counted(lostFeeds, "feed")) could not be read") }
    if lostArticles > 0 {
      let places =
        switch keptPlaces {
        case 0: ""
        case lostArticles: " and wait for their feeds"
        default: ", of which \(keptPlaces) wait for their feeds"
        }
      losses.append("\(counted(lostArticles, "article")) could not be read\(places)")
    }
    if lostMarks > 0 { losses.append("\(counted(lostMarks, "article")) lost the marks") }
    if withoutText > 0 { losses.append("\(counted(withoutText, "article")) lost the text") }
    if !incomplete.isEmpty {
      losses.append("some of these may be missing: \(incomplete.joined(separator: ", "))")
    }
    if losses.isEmpty { losses = ["nothing is known to be missing"] }
    return "the database was damaged; \(counted(feeds, "feed")) and "
      + "\(counted(articles, "article")) were carried into a new one; "
      + losses.joined(separator: "; ")
  }
}
