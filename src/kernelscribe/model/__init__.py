"""The model that a search has chosen, for those who use it: components, forecasts, checks of it, and itself as a file."""
