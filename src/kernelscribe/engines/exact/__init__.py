"""The log marginal likelihood itself, and the posterior on all rows."""
