"""The paper's claims, each judged by the summaries of the experiments: pure functions of what the JSON files hold."""

from claims import bounds, fits, searches
from claims.verdict import Claim, Verdict

__all__ = ["CLAIMS", "Claim", "Verdict"]

CLAIMS = (*bounds.CLAIMS, *searches.CLAIMS, *fits.CLAIMS)
