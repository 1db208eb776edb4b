"""Fixed seeds: property tests try the same cases on every machine."""

from hypothesis import HealthCheck, settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
settings.load_profile("fixed")
