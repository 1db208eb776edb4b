"""Fitting one kernel to data: starts, the climb, and the certificate at its top."""
