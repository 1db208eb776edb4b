"""Claims on searches: what is found, what is missed, and how long it takes."""

import math
from typing import Any

from claims.paper import BIC, HOURS, TABLE
from claims.verdict import NOT_MEASURED, Claim, Summary, Verdict, listed

__all__ = ["CLAIMS"]

# Of the way from the best base kernel to the best of all.
NEAR = 0.9
# Nats by which one search has to be ahead.
AHEAD = 10.0
# Times by which it has to be faster.
FASTER = 20.0
# Days from spring tide to spring tide.
SPRING = 14.7653
# Days from one perigee of the moon to the next.
PERIGEE = 27.5546
# Inducing points from which on the paper says that there are enough.
ENOUGH = 40


def near_the_top(small: Summary) -> Verdict:
    if not small["searches"]:
        return NOT_MEASURED
    told, ways = [], []
    for name, each in small["searches"].items():
        way = (each["skc exact bic"] - each["base bic"]) / (each["cks bic"] - each["base bic"])
        ways.append(way)
        told.append(
            f"{name}: SKC chooses {each['skc']}, whose exact BIC of {each['skc exact bic']:.1f} is number {each['rank']} of "
            f"{each['kernels']} beside those of CKS, {way:.0%} of the way from the best base kernel to {each['cks']} "
            f"({each['cks bic']:.1f})"
        )
    short = [name for name, way in zip(small["searches"], ways, strict=True) if way < NEAR]
    why = " ".join(f"{name}: {_hidden(small['searches'][name], small['inducing'])}" for name in short)
    return Verdict(not short, "; ".join(told), why)


def _hidden(each: dict[str, Any], m: int) -> str:
    """What keeps SKC from the kernel that CKS chooses: its bounds, its climbs, or that it never came there."""
    lower, upper = each["cks bounded"]
    there = f"with {m} points {each['cks']} has {lower:.1f} to {upper:.1f} at the values that CKS finds"
    if (seen := each["cks by skc"]) is None:
        return f"{there}, and SKC never tried it."
    at = f"SKC, which climbs the lower bound, has it at {seen[0]:.1f} to {seen[1]:.1f}"
    if lower > seen[0] + AHEAD:
        return f"{there}; {at}: its climb ended on a lower top."
    return f"{there}; {at}, with other values: the points are too few for those of CKS, whose exact BIC is {each['cks bic']:.1f}."


def trees(small: Summary) -> Verdict:
    rows = [row for row in small["trees"] if row["m"] >= ENOUGH] or small["trees"]
    if not rows:
        return NOT_MEASURED
    told, whys, steady = [], [], True
    for name in dict.fromkeys(row["data"] for row in rows):
        first = _first([row for row in rows if row["data"] == name])
        told.append(f"{name}: " + ", ".join(f"{kernel} ({_sizes(each)})" for kernel, each in first.items()))
        usual, *others = sorted(first, key=lambda kernel: -len(first[kernel]))
        steady = steady and not others
        whys += [f"{name}: {_astray(small['trees'], name, usual, other, m)}" for other in others for m in first[other]]
    return Verdict(steady, f"first by the upper bound with {ENOUGH} points and more: {'; '.join(told)}", " ".join(whys))


def _first(rows: list[dict[str, Any]]) -> dict[str, list[int]]:
    """The kernels that are first with some number of points, and with which."""
    first: dict[str, list[int]] = {}
    for m in sorted({row["m"] for row in rows}):
        first.setdefault(max((row for row in rows if row["m"] == m), key=lambda row: row["upper"])["kernel"], []).append(m)
    return first


def _sizes(sizes: list[int]) -> str:
    return f"m = {listed([str(m) for m in sizes])}"


def _astray(rows: list[dict[str, Any]], data: str, kernel: str, other: str, m: int) -> str:
    """Why a kernel that is first with most numbers of points is behind another one with this one."""
    ends = {(row["kernel"], row["m"]): row["upper"] for row in rows if row["data"] == data}
    if (kernel, m) not in ends:
        return f"{kernel} was not tried with m = {m}."
    below = {size: upper for (name, size), upper in ends.items() if name == kernel and size < m}
    size = max(below, key=lambda size: below[size], default=m)
    if below and below[size] > ends[kernel, m]:
        return (
            f"with m = {m} {kernel} ends at {ends[kernel, m]:.1f}, below the {below[size]:.1f} that it reaches with m = {size}: "
            "its climb ended on a lower top, and the number of points is not to blame."
        )
    most = max(size for name, size in ends if name == kernel)
    apart = ends[kernel, most] - ends.get((other, most), ends[kernel, most])
    return (
        f"with m = {m} {kernel} reaches {ends[kernel, m]:.1f} and {other} {ends[other, m]:.1f}; with m = {most} they are "
        f"{apart:.1f} nats apart."
    )


def goes_wrong(power: Summary) -> Verdict:
    ways = power["ways"]
    if "skc" not in ways or "skc-lb" not in ways:
        return NOT_MEASURED
    skc, low = _abreast(ways["skc"], ways["skc-lb"])
    told = (
        f"at depth {max(skc['depth'], low['depth'])} SKC reaches {skc['exact']:.1f} ({skc['kernel']}), SKC-LB {low['exact']:.1f} "
        f"({low['kernel']})"
    )
    if "auto" in ways:
        auto = ways["auto"]
        cut = f", cut off at depth {auto['rounds'][-1]['depth']}," if auto["stopped"] else ""
        told += f"; the default{cut} reaches {auto['exact bic']:.1f} ({auto['kernel']})"
    holds = skc["exact"] - low["exact"] > AHEAD
    return Verdict(holds, told, "" if holds else f"{_parting(ways['skc'], ways['skc-lb'])}{_out_of_sight(power)}")


def _out_of_sight(power: Summary) -> str:
    """What neither search can see: kernels that so many points cannot follow."""
    if "auto bounded" not in power or (lower := power["auto bounded"][0]) > power["ways"]["skc"]["exact bic"]:
        return ""
    return (
        f" What the default finds neither could see: with {power['inducing']} points its lower bound is {lower:.1f} at an exact "
        f"value of {power['ways']['auto']['exact bic']:.1f}."
    )


def _abreast(*ways: dict[str, Any]) -> list[dict[str, Any]]:
    """What each search had found at the depth to which all of them came: where one was cut off, later gains of others are not
    its fault.
    """
    depth = min([each["rounds"][-1]["depth"] for each in ways if each["stopped"]], default=math.inf)
    return [[row for row in each["rounds"] if row["depth"] <= depth][-1] for each in ways]


def _parting(skc: dict[str, Any], low: dict[str, Any]) -> str:
    """Where both searches part ways and which of them was right there, and why not before."""
    agreed = [str(row["depth"]) for row in skc["rounds"] if row["first by lower"] == row["first by upper"]]
    told = f"The kernel with the highest upper bound has the highest lower one too at depth {listed(agreed)}. " if agreed else ""
    for a, b in zip(skc["rounds"], low["rounds"], strict=False):
        if a["kernel"] != b["kernel"]:
            wide = [f"{row['upper'] - row['lower']:.0f}" for row in (a, b)]
            return (
                f"{told}They part at depth {a['depth']}, where SKC takes {a['kernel']} (exact {a['exact']:.1f}, interval "
                f"{wide[0]} nats wide) and SKC-LB {b['kernel']} (exact {b['exact']:.1f}, {wide[1]} nats)."
            )
    return f"{told}Both choose the same kernels at every depth."


def faster(power: Summary) -> Verdict:
    if "cks" not in power:
        return NOT_MEASURED
    hours, cks = {m: each["hours"] for m, each in power["hours"].items() if "2" in each["hours"]}, power["cks"]
    if not hours:
        return NOT_MEASURED
    ratio = {m: cks["hours"] / ends["2"] for m, ends in hours.items()}
    told = ", ".join(f"{ends['1']:.2f}/{ends['2']:.2f} h (m={m}, {ratio[m]:.0f} times)" for m, ends in hours.items())
    middle = str(power["inducing"])
    return Verdict(
        ratio.get(middle, min(ratio.values())) >= FASTER,
        f"SKC to depths 1/2 takes {told}. CKS would take {cks['hours']:.1f} h to depth 2, extrapolated: {cks['evaluations']:,} "
        f"evaluations, as CKS makes on {cks['part']} rows, of {cks['seconds of one']:.1f} s each on {cks['rows']:,} rows",
        f"Not all of that is the bounds: SKC takes {HOURS[middle][1] / hours[middle]['2']:.0f} times less than in the paper."
        if middle in hours and middle in HOURS
        else "",
    )


def _of(hourly: Summary, data: str, ways: str) -> list[dict[str, Any]]:
    return [each for each in hourly["searches"] if each["data"].startswith(data) and each["way"].startswith(ways)]


def _told(each: dict[str, Any]) -> str:
    seen = ", ".join(f"{what} {how}" for what, how in each["found"].items())
    cut = f", cut off at depth {each['depth']}" if each["stopped"] else ""
    return f"{each['data']}, {each['way']}: {each['kernel']} ({seen}{cut}; BIC on all rows {each['by waves'][0]:,.0f})"


def _both(each: dict[str, Any]) -> bool:
    return "missed" not in each["found"].values()


def finds(data: str) -> Any:
    def judge(hourly: Summary) -> Verdict:
        skc, waves, paper = (_of(hourly, data, way) for way in ("SKC", "waves", "paper's kernel"))
        if not skc:
            return NOT_MEASURED
        short = [each for each in skc if not _both(each)]
        why = [_passed_by(each, row) for each in short for row in paper if row["data"] == each["data"]]
        late = "the search ran out of time after depth"
        why += [f"{each['data']}: {late} {each['depth']}; more of it may help." for each in short if each["stopped"]]
        return Verdict(not short, "; ".join(_told(each) for each in skc + waves), " ".join(why))

    return judge


def _passed_by(chosen: dict[str, Any], paper: dict[str, Any]) -> str:
    """What passed the paper's kernel by where it is not the one that was chosen: the search, the points, or nobody knows."""
    there, here = ("{:,.0f} to {:,.0f}".format(*each["bic"]) for each in (paper, chosen))
    lost = [what for what, how in paper["found"].items() if how == "missed"]
    left = f", where it has left {listed(lost)} behind" if lost else ""
    return (
        f"{chosen['data']}: climbed to from about the paper's values with as many points, {paper['kernel']} has a BIC of {there}"
        f"{left}; what was chosen has {here}: {_fault(chosen, paper['kernel'], paper['bic'][0])}.{_both_come_round(chosen)}"
    )


def _fault(chosen: dict[str, Any], kernel: str, lower: float) -> str:
    if lower > chosen["bic"][0] + AHEAD:
        return "the search passed it by"
    met = [row["lower"] for row in chosen["rounds"] if row["kernel"] == kernel]
    if met and lower > met[0] + AHEAD:
        return (
            f"it is behind, but on its way the search had it on a lower top, at {met[0]:,.0f}, and where the higher one would "
            "have led is open"
        )
    return "not the search but the data and the points passed it by"


def _both_come_round(chosen: dict[str, Any]) -> str:
    """A period after which spring tides and those of perigee both come again, as it is in a kernel that has neither by itself."""
    for leaf in chosen["values"] if chosen["data"].startswith("tidal") else ():
        period = leaf.get("period, days", 0.0)
        springs, perigees = period / SPRING, period / PERIGEE
        if perigees > 1.5 and all(abs(times - round(times)) < 0.1 for times in (springs, perigees)):
            return (
                f" Noticed afterwards: the period of {period:.0f} days chosen is {springs:.1f} times that of spring and neap and "
                f"{perigees:.1f} times that of the moon's perigee, so that overtones of it come near both."
            )
    return ""


def misses(ways: str) -> Any:
    def judge(hourly: Summary) -> Verdict:
        rows = _of(hourly, "", ways)
        if not rows:
            return NOT_MEASURED
        lucky = [each for each in rows if _both(each)]
        why = (
            f"Both are found all the same on {listed([_named(each) for each in lucky])}. {_helped(hourly, lucky)}"
            if lucky
            else ""
        )
        return Verdict(not lucky, "; ".join(_told(each) for each in rows), why)

    return judge


def _named(each: dict[str, Any]) -> str:
    return f"{each['data']} ({each['way']})"


def _helped(hourly: Summary, lucky: list[dict[str, Any]]) -> str:
    """Whether starts that look at the data are what finds the periods: the same searches without them."""
    about = "Here starts look for periods that stand out in the data, in the paper they were drawn"
    names = {each["data"] for each in lucky}
    drawn = [each for each in hourly["searches"] if each["data"] in names and each["way"].startswith("drawn starts")]
    if not drawn:
        return f"{about}; whether that is all is open."
    so = "" if any(_both(each) for each in drawn) else " So it is the starts that find both."
    return f"{about}. With drawn ones: {'; '.join(_told(each) for each in drawn)}.{so}"


CLAIMS = (
    Claim(
        "near the top",
        "What SKC chooses is near the top of what CKS finds.",
        "second on solar, third on Mauna Loa, similar structure on concrete",
        "nine tenths of the way or more on every set",
        ("small",),
        near_the_top,
    ),
    Claim(
        "trees",
        "Few inducing points are enough to see which kernel is best.",
        "appropriate kernels are chosen even with few, as in its trees",
        f"the same kernel is first with every number of points from {ENOUGH} on",
        ("small",),
        trees,
    ),
    Claim(
        "goes wrong",
        "Ranking by the lower bound alone goes wrong on the power plant.",
        f"exact BIC {BIC['skc']} by SKC, {BIC['skc-lb']} by SKC-LB",
        f"SKC ahead by more than {AHEAD:g} nats at the depth to which both came",
        ("power",),
        goes_wrong,
    ),
    Claim(
        "faster",
        "SKC is at least 20 times faster than CKS there.",
        f"{HOURS['cks'][1]} h against {HOURS['320'][1]} h to depth 2 with 320 points",
        f"{FASTER:g} times or more with as many points",
        ("power",),
        faster,
    ),
    Claim(
        "gefcom",
        "Both periods of the hourly loads are found with 160 inducing points.",
        TABLE["gefcom"],
        "both, by SKC: a day, and half a year or a year or two that beat with it",
        ("hourly",),
        finds("gefcom"),
    ),
    Claim(
        "tidal",
        "Both periods of the tides are found with 640 inducing points.",
        f"{TABLE['tidal']}, on Dover",
        "both, by SKC: one of 12 to 13 hours, and one of 13.5 to 15.5 days or two that beat with it",
        ("hourly",),
        finds("tidal"),
        "that any period of 12 to 13 hours counts as the half-daily one, as 0.538 days do in the paper (a narrow band before); "
        "and the time allowed for both searches with points, 3,000 s (1,000 s before, when SKC was cut off at depth 2)",
    ),
    Claim(
        "lower bound",
        "The lower bound alone misses the longer periods.",
        "the half year is missed, and on tides it ends at depth 3",
        "on every series at least one is missed",
        ("hourly",),
        misses("lower bound alone"),
    ),
    Claim(
        "subsets",
        "CKS on random subsets misses the periods.",
        "even with 2560 rows; no daily period, and on tides it ends at depth 2",
        "with every subset at least one is missed",
        ("hourly",),
        misses("CKS on"),
        "that a kernel is judged with the values found on its rows, before it is fitted to all of them",
    ),
)
