"""Figures that the paper reports (Kim & Teh, AISTATS 2018), to stand beside those measured here."""

__all__ = ["BIC", "HOURS", "PERIODS", "SECONDS", "SLOPE", "TABLE"]

_SIZES = (10, 20, 40, 80, 160, 320)
_MEANS = {
    ("solar", "exact"): (29.195,),
    ("mauna", "exact"): (164.8828,),
    ("concrete", "exact"): (403.8233,),
    ("solar", "lower"): (7.0259, 8.3121, 10.2263, 9.6752, 25.633, 76.3447),
    ("mauna", "lower"): (6.0117, 11.9245, 17.1479, 28.9876, 91.0406, 202.2369),
    ("concrete", "lower"): (5.4358, 10.241, 19.6678, 47.2225, 158.9199, 541.4835),
    ("solar", "logdet"): (0.0019, 0.0026, 0.0043, 0.0084, 0.0188, 0.0464),
    ("mauna", "logdet"): (0.0033, 0.0046, 0.0079, 0.0154, 0.0338, 0.0789),
    ("concrete", "logdet"): (0.0113, 0.0166, 0.0286, 0.0554, 0.1188, 0.2550),
    ("solar", "quadratic"): (0.0474, 0.0422, 0.0284, 0.0199, 0.0206, 0.0250),
    ("mauna", "quadratic"): (0.1020, 0.1274, 0.0846, 0.0553, 0.0432, 0.0676),
    ("concrete", "quadratic"): (0.2342, 0.1746, 0.2345, 0.2176, 0.2136, 0.2295),
    ("solar", "learned"): (23.4, 38.5, 124.7, 268.6, 1483.6, 2923.8),
    ("mauna", "learned"): (42.0, 62.0, 320.0, 1935.0, 10480.0, 39789.0),
    ("concrete", "learned"): (110.0, 70.0, 307.0, 666.0, 4786.0, 25906.0),
}
# Mean seconds by data, what was computed, and the number of inducing points (0 for none).
SECONDS = {
    (data, what, m): mean
    for (data, what), means in _MEANS.items()
    for m, mean in zip((0,) if len(means) == 1 else _SIZES, means, strict=True)
}
# Exact BIC on the power plant, and hours to depths 1 and 2.
BIC = {"skc": 1469.6, "skc-lb": 745.5}
HOURS = {"160": (0.6, 2.6), "320": (1.1, 4.1), "640": (4.2, 15.0), "cks": (28.7, 94.7)}
# Years, and ppm a year.
PERIODS = {"solar": 10.9569, "mauna": 1.0}
SLOPE = 1.5150
# Values of the kernels found by SKC, in days.
TABLE = {
    "gefcom": "SE (60.5 days) × PER (1.003 days) + SE (331 days) × (PER (174 days) + LIN (2006.1))",
    "tidal": "SE (82.5 days) × PER (0.538 days) × LIN (2015.0) × PER (0.500 days) × PER (14.6 days)",
}
