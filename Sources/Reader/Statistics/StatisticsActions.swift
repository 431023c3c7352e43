package import News

extension Action {
  package enum Statistics: Hashable, Sendable {
    /// The statistics of a time; with the disk usage once the sizes are added up.
    case counted(ReadingStatistics, KeptRoom?)
    case failed(SourceError)
  }
}

extension Effect {
  package enum Statistics: Hashable, Sendable {
    /// Report the statistics of a time until now, in seconds, and then the disk usage.
    case count(span: Int64)
  }
}
