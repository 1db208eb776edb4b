"""Pages taken apart: what is structure, and what is only text in it."""

from html.parser import HTMLParser


class Structure(HTMLParser):
    """Elements and the names of their attributes; texts and values apart."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.texts, self.values, self.data = [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.values += [value for name, value in attrs if name != "content"]

    def handle_endtag(self, tag):
        self.elements.append(("/" + tag,))

    def handle_data(self, data):
        (self.data if self.elements[-1:] and self.elements[-1][0] in ("script", "style") else self.texts).append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")
