/// Words and markup that bodies have in common. A body of a few kilobytes takes an eighth less with
/// it. Frequent text stands last, where references to it are shortest.
///
/// Part of the format of the database, and never edited: a better one is a second dictionary, and a
/// new kind in `BodyCodec`.
enum BodyDictionary {
  static let bytes = Array(text.utf8)

  private static let text = #"""
     about above after again against all also although always among and another any are around as \#
    asked at available away back based be because become been before being best better between bot\#
    h but by call called came can change come company could country day days different do does dow\#
    n during each early end even every example far few find first following for found free from fu\#
    ll general get give go going good government great group had has have having her here high him\#
     his home house how however if important in including information instead into is it its itsel\#
    f just keep know last later least left less life like little local long look made make making \#
    many market may me means might more most much must national need never new news next no not no\#
    thing now number of off often old on once one only open or other our out over own part people \#
    place point policy possible power present president problem public put question read really re\#
    port research result right said same say says second see seen set several she should show sinc\#
    e small so some something still such system take team than that the their them then there thes\#
    e they thing think this those though thought three through time to today together too two unde\#
    r until up us use used using very want was way we week well went were what when where which wh\#
    ile who why will with within without work working world would year years yet you your 
    &nbsp;&amp;&quot;&#8217;s &#8220;&#8221; &#8211; &#8212; &#8230; &mdash;&ndash;&hellip;&rsquo;\#
    &lsquo;&ldquo;&rdquo; [&hellip;]</p>
    <div><br /><br/><br><hr /><strong></strong><b></b><em></em><i></i><span style="font-weight: 40\#
    0;"></span><small></small><code></code><pre><code class="language-
    </code></pre><table><thead><tr><th></th></tr></thead><tbody><tr><td></td></tr></tbody></table>\#
    <ol><li></li></ol>
    <iframe width="560" height="315" src="https://www.youtube.com/embed/" title="YouTube video pla\#
    yer" frameborder="0" allow="accelerometer; autoplay; clipboard-write; encrypted-media; gyrosco\#
    pe; picture-in-picture; web-share" referrerpolicy="strict-origin-when-cross-origin" allowfulls\#
    creen="allowfullscreen"></iframe>
    <video controls="controls" preload="none"><source src="" type="video/mp4"/></video><audio cont\#
    rols><source type="audio/mpeg">
    <div class="separator" style="clear: both; text-align: center;"><a href="https://blogger.googl\#
    eusercontent.com/img/b/" imageanchor="1" style="margin-left: 1em; margin-right: 1em;"><img bor\#
    der="0" data-original-height="" data-original-width="
    <div class="captioned-image-container"><figure><a class="image-link image2 is-viewable-img" ta\#
    rget="_blank" href="https://substackcdn.com/image/fetch/" data-component-name="Image2ToDOM"><d\#
    iv class="image2-inset"><picture><source type="image/webp" srcset="https://substackcdn.com/ima\#
    ge/fetch/f_auto,q_auto:good,fl_progressive:steep/https%3A%2F%2Fsubstack-post-media.s3.amazonaw\#
    s.com%2Fpublic%2Fimages%2F
    <figure><img alt="" src="https://cdn-images-1.medium.com/max/1024/" /><figcaption></figcaption\#
    ></figure><div class="kg-card kg-image-card kg-card-hascaption"><img src="https://images.unspl\#
    ash.com/photo-
    <p>The post <a rel="nofollow" href="https://www.">appeared first on <a href="https://www.</a>.\#
    </p><p><a href="http://www.</a></p><p>Article URL: <a href="https://</a></p><p>Comments URL: <\#
    a href="https://news.ycombinator.com/item?id=</a></p><p>Points: </p><p># Comments: </p>submitt\#
    ed by <a href="https://www.reddit.com/user/"> /u/</a> <span><a href="">[link]</a></span> <span\#
    ><a href="">[comments]</a></span><a href="https://github.com/<a href="https://en.wikipedia.org\#
    /wiki/<a href="https://twitter.com/<a href="https://www.theguardian.com/?utm_source=rss&amp;ut\#
    m_medium=feed&amp;utm_campaign=rss" target="_blank" rel="noopener noreferrer nofollow">Continu\#
    e reading...</a>Read more</a></p>
    <h1><h3><h4><h3 class="wp-block-heading" id="h-"></h3><h2 class="wp-block-heading"></h2>
    <h2></h2><ul class="wp-block-list"><li></li></ul><blockquote class="wp-block-quote is-layout-f\#
    low wp-block-quote-is-layout-flow"><p></p></blockquote><p class="has-text-align-center"><div c\#
    lass="wp-block-image"><figure class="aligncenter size-full is-resized"><img fetchpriority="hig\#
    h" decoding="async" width="1024" height="683" src="https://i0.wp.com/wp-content/uploads/2024/2\#
    025/01/02/-1024x683.png" alt="" class="wp-image-" style="width:600px;height:auto" title="" src\#
    set=".jpg 1024w, -300x200.jpg 300w, -150x150.jpg 150w, -768x512.jpg 768w, -1536x1024.jpg 1536w\#
    , -2048x1365.jpg 2048w" sizes="auto, (max-width: 1024px) 100vw, 1024px" /><figcaption class="w\#
    p-element-caption"></figcaption></figure></div>
    <figure class="wp-block-image size-large"><img loading="lazy" decoding="async" width="640" hei\#
    ght="480" src="https://"/></figure>
    <p><img src="https://" alt="" width="800" height="600" loading="lazy" /></p>
    <ul>
    <li></li>
    <li><a href="https://www.</a></li>
    </ul>
    <blockquote>
    <p></p>
    </blockquote>
    <p><strong></strong></p>
    <p><a href="https:// target="_blank" rel="noopener"></a></p>
    <p>The </p>
    <p>
    """#
}
