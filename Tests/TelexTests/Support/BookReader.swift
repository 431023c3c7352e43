import Foundation
import Testing

/// What Python's zipfile and expat read of a book, which is not Telex's own code.
struct BookReader {
  let paths: [String]
  /// The texts of its files but pictures, by path.
  let texts: [String: String]
  /// What is wrong with it.
  let faults: [String]
  let identifier: String

  static let python = [
    "/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3",
  ].first { FileManager.default.isExecutableFile(atPath: $0) }

  init(_ path: String, in sandbox: Sandbox) async throws {
    let script = try sandbox.file("book.py", Self.script)
    let read = try await TelexCommand.run(
      [script, path], executable: try #require(Self.python), environment: sandbox.home,
      in: sandbox.folder)
    try #require(read.status == 0, "\(read.testDescription)")
    let value = try read.json()
    paths = try #require(value["paths"] as? [String])
    texts = try #require(value["texts"] as? [String: String])
    faults = try #require(value["faults"] as? [String])
    identifier = try #require(value["identifier"] as? String)
  }

  private static let script = """
    import json, posixpath, sys, zipfile
    import xml.etree.ElementTree as tree
    faults = []
    def fault(text): faults.append(text)
    data = open(sys.argv[1], 'rb').read()
    if data[30:38] != b'mimetype' or data[38:58] != b'application/epub+zip': fault('no mimetype first')
    box = zipfile.ZipFile(sys.argv[1])
    if box.testzip(): fault('damaged ' + box.testzip())
    first = box.infolist()[0]
    if first.compress_type != 0 or first.extra: fault('the mimetype is packed')
    names = box.namelist()
    if len(set(names)) != len(names): fault('a name twice')
    texts, ids, documents = {}, {}, {}
    for name in names:
        if name.endswith(('.xhtml', '.opf', '.ncx', '.xml', '.css')) or name == 'mimetype':
            texts[name] = box.read(name).decode('utf-8')
        if name.endswith(('.xhtml', '.opf', '.ncx', '.xml')):
            try: documents[name] = tree.fromstring(box.read(name))
            except Exception as error: fault('%s: %s' % (name, error)); continue
            found = [e.get('id') for e in documents[name].iter() if e.get('id')]
            if len(set(found)) != len(found): fault(name + ': an id twice')
            ids[name] = set(found)
    opf = '{http://www.idpf.org/2007/opf}'
    package = documents['EPUB/package.opf']
    items = {i.get('id'): i for i in package.iter(opf + 'item')}
    listed = {posixpath.join('EPUB', i.get('href')) for i in items.values()}
    rest = set(names) - listed - {'mimetype', 'META-INF/container.xml', 'EPUB/package.opf'}
    if rest: fault('not in the manifest: %s' % rest)
    if listed - set(names): fault('missing: %s' % (listed - set(names)))
    spine = [i.get('idref') for i in package.iter(opf + 'itemref')]
    for name in spine:
        if name not in items: fault('no such item ' + name)
    pages = {i.get('href') for i in items.values() if i.get('media-type') == 'application/xhtml+xml'}
    if len(pages - {'nav.xhtml'}) != len([name for name in spine if name != 'nav']): fault('a page is not in the spine')
    for name, document in documents.items():
        for element in document.iter():
            for key in ('href', 'src'):
                target = element.get(key)
                if target is None or name.endswith('.opf') or ':' in target: continue
                page, _, place = target.partition('#')
                path = posixpath.join(posixpath.dirname(name), page) if page else name
                if path not in names: fault('%s: nothing at %s' % (name, target))
                elif place and place not in ids[path]: fault('%s: no place %s' % (name, target))
            if element.tag.endswith('}img') and ':' in element.get('src'): fault('a picture from outside')
            if element.tag.split('}')[-1] in ('script', 'iframe', 'object', 'form'): fault(element.tag)
    identifier = package.find('.//{http://purl.org/dc/elements/1.1/}identifier').text
    for wanted in ('title', 'language'):
        if not package.find('.//{http://purl.org/dc/elements/1.1/}' + wanted).text: fault('no ' + wanted)
    print(json.dumps({'paths': names, 'texts': texts, 'faults': faults, 'identifier': identifier}))
    """
}
