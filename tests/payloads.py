"""Foreign text that would act if anything took it for more than text."""

HARMLESS = "word"
PAYLOADS = (
    "<script>window.hit = 1</script>",
    '"><img src=x onerror=window.hit=1>',
    "'><svg/onload=window.hit=1>",
    "</script><script>window.hit = 1</script>",
    "</style></title></textarea><b>",
    "<!--<script>",
    "{{ 7 * 7 }}{% include 'x' %}",
    "\u2028window.hit = 1\u2029//",
    "[link](javascript:window.hit=1) ![i](http://evil.example/x.png) [a]: http://evil.example",
    "http://evil.example www.evil.example <http://evil.example> me@evil.example mailto:me@evil.example",
    "`a` **b** _c_ | d | \\| ~~e~~ $f$ # g \\",
    "- a",
    "1. a",
    "    # a",
    "```",
    "| a | b |",
    '#set page(width: 1pt) #read("/etc/passwd") \\ " ] } ) $x$ @ref <label> // /*',
    "\\input{/etc/passwd} \\write18{id} % ~ ^",
    "&lt;b&gt; &#60;i&#62; &copy;",
    "a\x00b\x07c\x1b[31md\u202ee\ud800f\ufffe",
    "__proto__",
    "constructor",
    "hasOwnProperty",
)
