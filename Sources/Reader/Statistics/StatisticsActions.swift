package import News

extension Action {
  /// Events of the statistics.
  package enum Statistics: Hashable, Sendable {
    /// What the feeds have brought over a time; with what is kept on the disk once the sizes are added up.
    case counted(ReadingStatistics, KeptRoom?)
    case failed(SourceError)
  }
}

extension Effect {
  /// Counting what the feeds bring.
  package enum Statistics: Hashable, Sendable {
    /// Report what the feeds have brought over a time that ends now, in seconds, and then what is kept on the disk.
    case count(span: Int64)
  }
}
