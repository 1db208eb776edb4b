"""The facts to be told, as values: no sentence is made here."""
