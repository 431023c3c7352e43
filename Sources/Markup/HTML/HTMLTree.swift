internal import CGumbo

/// Gumbo's tree of a document, walked once and freed.
enum HTMLTree {
  /// Reads HTML that has been through `HTMLNormalizer`, which bounds what gumbo does with it.
  static func read(_ html: [UInt8], into builder: inout DocumentBuilder) {
    Gumbo.read(html, isFragment: true) { walk($0, &builder) }
  }

  private struct Step {
    var children: GumboVector
    var next = 0
    var leaving: DocumentBuilder.Leaving
  }

  /// Walks with a stack of its own: the depth of a tree must not be that of the thread's stack.
  private static func walk(_ root: Gumbo.Node, _ builder: inout DocumentBuilder) {
    var steps = [Step(children: root.pointee.v.element.children, leaving: .nothing)]
    while let last = steps.indices.last {
      let children = steps[last].children
      guard steps[last].next < Int(children.length),
        let node = children.data[steps[last].next]?.assumingMemoryBound(to: GumboNode.self)
      else {
        builder.leave(steps.removeLast().leaving)
        continue
      }
      steps[last].next += 1
      switch node.pointee.type {
      case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
        builder.append(String(cString: node.pointee.v.text.text))
      case GUMBO_NODE_ELEMENT:
        let children = node.pointee.v.element.children
        guard let tag = tags[Int(node.pointee.v.element.tag.rawValue)] else {
          steps.append(Step(children: children, leaving: .nothing))
          continue
        }
        let element = DocumentBuilder.Element(tag: tag, attributes: Gumbo.attributes(of: node))
        if element.isLeftOut || builder.showsAgain(element) { continue }
        if tag.isMedia {
          builder.appendMedia(element, source: source(in: children))
          continue
        }
        let isSign = tag == .a && onlyText(of: children).map(element.isHeadingSign) == true
        steps.append(
          Step(children: isSign ? GumboVector() : children, leaving: builder.enter(element)))
      default: break
      }
    }
  }

  /// The text of an element that has nothing else in it, where it is short.
  private static func onlyText(of children: GumboVector) -> String? {
    guard children.length == 1,
      let node = children.data[0]?.assumingMemoryBound(to: GumboNode.self),
      node.pointee.type == GUMBO_NODE_TEXT, let text = node.pointee.v.text.text,
      (0...16).contains(where: { text[$0] == 0 })
    else { return nil }
    return String(cString: text)
  }

  /// The address of the first `<source>` in a medium.
  private static func source(in children: GumboVector) -> String? {
    for index in 0..<Int(children.length) {
      guard let child = children.data[index]?.assumingMemoryBound(to: GumboNode.self),
        child.pointee.type == GUMBO_NODE_ELEMENT,
        child.pointee.v.element.tag == GUMBO_TAG_SOURCE
      else { continue }
      return Gumbo.attributes(of: child).first { $0.name == "src" }?.value
    }
    return nil
  }

  /// Whether gumbo has a rule of its own for an element.
  static func knows(_ tag: HTMLTag) -> Bool { known[tag.rawValue] }

  private static let known = HTMLTag.allCases.map { gumbo_tag_enum($0.name) != GUMBO_TAG_UNKNOWN }

  /// By the numbers of gumbo's tags; nil for those that mean nothing here.
  private static let tags: [HTMLTag?] = {
    var tags = [HTMLTag?](repeating: nil, count: Int(GUMBO_TAG_LAST.rawValue) + 1)
    for tag in HTMLTag.allCases {
      let known = gumbo_tag_enum(tag.name)
      if known != GUMBO_TAG_UNKNOWN { tags[Int(known.rawValue)] = tag }
    }
    return tags
  }()
}
