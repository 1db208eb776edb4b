// On every page: times as the reader's calendar has them, durations in words.
import { duration, moment } from "./words.js";

for (const each of document.querySelectorAll("time[data-when]")) each.textContent = moment(each.dateTime);
for (const each of document.querySelectorAll("[data-seconds-text]")) each.textContent = duration(Number(each.dataset.secondsText));
