"use strict";
// Steps of an interleaving: one is marked, and what came up to it is shown beside it.
const steps = JSON.parse(document.getElementById("data").textContent);
const rows = [...document.querySelectorAll("#steps-table tbody tr")];
const element = id => document.getElementById(id);
let now = 0;

function show(step) {
  now = Math.max(0, Math.min(rows.length - 1, step));
  rows.forEach((r, i) => r.classList.toggle("now", i === now));
  const operations = [], memory = new Map();
  for (const s of steps.slice(0, now + 1)) {
    if (s.event === "call" || s.event === "return") operations.push("goroutine " + s.who + " " + (s.event === "call" ? "calls " : "returns ") + s.text);
    if (s.cell && (s.after || s.before)) memory.set(s.cell, s.after || s.before);
  }
  element("so-far-history").textContent = operations.join("\n") || "none";
  element("so-far-memory").textContent = [...memory].map(([cell, value]) => cell + " = " + value).join("\n") || "nothing was read or written";
  element("so-far-step").textContent = "Step " + steps[now].step + ", goroutine " + steps[now].who + ": " + steps[now].text;
  rows[now].scrollIntoView({ block: "nearest" });
}

element("steps-table").addEventListener("keydown", event => {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -rows.length, End: rows.length }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  show(now + by);
});
rows.forEach((r, i) => r.addEventListener("click", () => show(i)));
element("back").addEventListener("click", () => show(now - 1));
element("next").addEventListener("click", () => show(now + 1));
element("so-far").hidden = false;
show(0);
