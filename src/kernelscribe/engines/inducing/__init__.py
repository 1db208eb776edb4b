"""Inducing points: the paper's sandwich of the marginal likelihood, tightened."""
