// Numbers, times and counts as people say them.

/** A duration: "8 s", "3 min 20 s", "1 h 5 min". */
export function duration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return whole % 60 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${whole / 60} min`;
  const minutes = Math.round(whole / 60);
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

/** A number with as many digits as it deserves. */
export function short(value) {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en");
  return size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** "1 row", "1,200 rows". */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** "a, b and c". */
export function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A moment as the reader's calendar has it. */
export function moment(iso) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** How far behind the best, from the least to the most. */
export function behind(least, most) {
  const low = Math.max(0, least);
  const high = Math.max(0, most);
  if (high < 0.005) return "0";
  return short(low) === short(high) ? short(high) : `${short(low)} to ${short(high)}`;
}
