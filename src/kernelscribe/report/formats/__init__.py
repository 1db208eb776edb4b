"""The document as a file: a format is one class, and `render.FORMATS` names them all."""
