"""What the numbers of an input mean to the one who brought them: a name, a unit, and dates where they are dates."""

from dataclasses import dataclass
from datetime import datetime, timedelta

__all__ = ["DAYS_A_YEAR", "Axis"]

# On average, by the Gregorian calendar.
DAYS_A_YEAR = 365.2425


@dataclass(frozen=True, slots=True)
class Axis:
    """One input.

    Attributes:
        name: of the column, as in the user's table.
        unit: of its numbers, in the plural: "years", "days", or "" where nothing is known.
        origin: for dates, the stamp of the number zero, as in "2004-01-01T00:00:00"; the numbers are days from there.
    """

    name: str
    unit: str = ""
    origin: str | None = None

    @property
    def dated(self) -> bool:
        """Whether its numbers stand for dates."""
        return self.origin is not None

    @property
    def temporal(self) -> bool:
        """Whether it is a time at all, with lengths that can be told in years, months, days or hours."""
        return self.unit in ("years", "days")

    def days(self, length: float) -> float:
        """A length on a temporal axis in days."""
        return length * DAYS_A_YEAR if self.unit == "years" else length

    def date(self, place: float) -> datetime:
        """The moment of a number on a dated axis, to the second; numbers beyond the calendar's ends stop there."""
        if self.origin is None:
            raise ValueError(f"{self.name} has no dates")
        try:
            return datetime.fromisoformat(self.origin) + timedelta(seconds=round(place * 86400))
        except OverflowError:
            return datetime.max.replace(microsecond=0) if place > 0 else datetime.min
