"""What was found, told: the words for a kernel, the document that holds them, and its forms as HTML, Markdown and PDF."""
