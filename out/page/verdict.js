// The page: what its controls, keys and links do.

const element = id => document.getElementById(id);

class Verdict {
  constructor(log) {
    this.log = log;
    this.view = new View(log, element("view"), element("overview"));
    this.filters();
    this.tools();
    this.pointer();
    element("view").addEventListener("keydown", e => this.key(e));
    element("overview").addEventListener("keydown", e => this.stripKey(e));
    this.walk();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.view.colours());
    new ResizeObserver(() => this.view.redraw()).observe(element("whole"));
    addEventListener("hashchange", () => this.follow());
    for (const link of document.querySelectorAll('a[href^="#op="]')) link.addEventListener("click", () => setTimeout(() => this.follow())); // to where one is, too
    this.filter();
    if (this.view.guilty.size && log.data.events > 1000) this.view.show(this.view.guilty);
    this.follow();
  }

  filters() {
    const methods = [...new Set(this.log.data.kinds.map(k => k.method))].sort();
    for (const m of methods) element("by-method").append(new Option(m, "=" + m));
    for (const p of this.log.data.processes.slice(0, 500)) element("processes").append(new Option(p, p));
    for (const id of ["by-process", "by-method", "by-value", "by-key"]) element(id)?.addEventListener("input", () => this.filter());
    element("all").addEventListener("click", () => {
      for (const id of ["by-process", "by-method", "by-value", "by-key"]) if (element(id)) element(id).value = "";
      this.filter();
    });
  }

  // filter shows the operations that all filters want.
  filter() {
    const { log } = this, { kinds, processes } = log.data;
    const asked = id => element(id)?.value.trim() ?? "";
    const process = asked("by-process"), method = asked("by-method").slice(1), value = asked("by-value"), key = asked("by-key");
    const p = processes.indexOf(process), v = log.code(value), k = log.code(key);
    const methods = kinds.map(kind => !method || kind.method === method);
    log.show(op => {
      const kind = kinds[log.kind[op]];
      return methods[log.kind[op]] && (!process || log.process[op] === p) &&
        (!value || log.values.subarray(log.first[op], log.first[op + 1]).includes(v)) &&
        (!key || kind.key >= 0 && log.values[log.first[op] + kind.key] === k);
    });
    element("count").textContent = log.shown.toLocaleString("en") + " of " + log.ops.toLocaleString("en") + (log.ops === 1 ? " operation" : " operations");
    this.view.redraw();
  }

  tools() {
    const { view, log } = this, on = (id, what) => element(id).addEventListener("click", what);
    on("in", () => view.zoom(1 / 2));
    on("out", () => view.zoom(2));
    on("earlier", () => view.move(-view.span * 0.8));
    on("later", () => view.move(view.span * 0.8));
    on("everything", () => view.everything());
    if (view.guilty.size) {
      element("guilty").hidden = false;
      on("guilty", () => { element("all").click(); view.show(view.guilty); });
    }
    element("find").addEventListener("change", e => {
      if (!e.target.value.trim()) return;
      location.hash = "op=" + encodeURIComponent(e.target.value.trim());
      this.follow();
    });
  }

  pointer() {
    const { view } = this, canvas = view.canvas, strip = view.strip;
    let drag = null;
    canvas.addEventListener("pointerdown", e => {
      drag = { x: e.offsetX, y: e.offsetY, from: view.from, top: view.top, moved: false };
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", e => {
      if (!drag) return;
      drag.moved ||= Math.hypot(e.offsetX - drag.x, e.offsetY - drag.y) > 4;
      if (!drag.moved) return;
      view.from = drag.from - (e.offsetX - drag.x) / view.scale;
      view.top = drag.top - (e.offsetY - drag.y);
      view.redraw();
    });
    canvas.addEventListener("pointerup", e => {
      if (drag && !drag.moved) this.select(view.hit(e.offsetX, e.offsetY));
      drag = null;
    });
    canvas.addEventListener("pointercancel", () => { drag = null; });
    canvas.addEventListener("wheel", e => {
      if (e.ctrlKey) view.zoom(2 ** (e.deltaY / 200), view.from + (e.offsetX - view.left) / view.scale);
      else if (e.deltaX) view.move(e.deltaX / view.scale);
      else return;
      e.preventDefault();
    }, { passive: false });
    const centre = e => { view.from = e.offsetX / strip.clientWidth * this.log.data.events - view.span / 2; view.redraw(); };
    strip.addEventListener("pointerdown", e => { strip.setPointerCapture(e.pointerId); centre(e); });
    strip.addEventListener("pointermove", e => { if (e.buttons) centre(e); });
  }

  key(e) {
    const { view } = this, far = view.span * 0.8;
    const keys = {
      ArrowLeft: () => e.shiftKey ? view.move(-view.span / 8) : this.along(-1),
      ArrowRight: () => e.shiftKey ? view.move(view.span / 8) : this.along(1),
      ArrowUp: () => e.shiftKey ? this.scroll(-1) : this.across(-1),
      ArrowDown: () => e.shiftKey ? this.scroll(1) : this.across(1),
      PageUp: () => view.move(-far), PageDown: () => view.move(far),
      Home: () => this.end(false), End: () => this.end(true),
      "+": () => view.zoom(1 / 2), "=": () => view.zoom(1 / 2), "-": () => view.zoom(2),
      0: () => view.everything(), Escape: () => this.select(-1),
    };
    this.pressed(e, keys);
  }

  stripKey(e) {
    const { view } = this, far = view.span / 4;
    this.pressed(e, {
      ArrowLeft: () => view.move(-far), ArrowRight: () => view.move(far), ArrowDown: () => view.move(-far), ArrowUp: () => view.move(far),
      PageUp: () => view.move(4 * far), PageDown: () => view.move(-4 * far),
      Home: () => view.move(-this.log.data.events), End: () => view.move(this.log.data.events),
      "+": () => view.zoom(1 / 2), "=": () => view.zoom(1 / 2), "-": () => view.zoom(2), 0: () => view.everything(),
    });
  }

  pressed(e, keys) {
    if (e.ctrlKey || e.metaKey || e.altKey || !Object.hasOwn(keys, e.key)) return;
    e.preventDefault();
    keys[e.key]();
  }

  scroll(rows) { this.view.top += rows * RowHeight; this.view.redraw(); }

  // along goes to another operation of the row.
  along(by) {
    const { log, view } = this, lane = log.lanes[log.lane(view.selected)];
    if (!lane) return this.begin();
    let i = log.inLanes.subarray(lane.from, lane.to).indexOf(view.selected) + lane.from + by;
    i = Math.min(Math.max(i, lane.from), lane.to - 1);
    this.select(log.inLanes[i]);
  }

  end(last) {
    const { log, view } = this, lane = log.lanes[log.lane(view.selected)] ?? log.lanes[0];
    if (lane) this.select(log.inLanes[last ? lane.to - 1 : lane.from]);
  }

  // across goes to the operation above or below.
  across(by) {
    const { log, view } = this, from = log.lane(view.selected);
    if (from < 0) return this.begin();
    const lane = log.lanes[from + by];
    if (!lane) return;
    this.select(log.inLanes[Math.min(log.after(lane, log.call[view.selected]), lane.to - 1)]);
  }

  // begin selects the first operation that is in view.
  begin() {
    const { log, view } = this, lane = log.lanes[Math.floor(view.top / RowHeight)];
    if (lane) this.select(log.inLanes[Math.min(log.after(lane, view.from), lane.to - 1)]);
  }

  // select says all about an operation, and names it in the address.
  select(op) {
    const { log, view } = this;
    view.selected = op;
    if (op < 0) {
      element("told").textContent = "";
      history.replaceState(null, "", location.pathname + location.search);
      return view.redraw();
    }
    if (log.lane(op) < 0) element("all").click();
    const { place, processes } = log.data, process = processes[log.process[op]], back = log.return[op];
    const parts = [log.name(op) + " " + log.label(op)];
    if (process) parts.push("process " + process);
    parts.push("called at event " + log.call[op], back === Infinity32 ? "has not returned" : "returned at event " + back);
    if (place && log.line[op]) parts.push(place + " " + log.line[op]);
    if (log.at[op]) parts.push("step " + log.at[op] + " of the order");
    if (view.guilty.has(op)) parts.push("part of the violation");
    if (op === log.data.last) parts.push("its event completes the violation");
    element("told").textContent = parts.join("; ");
    history.replaceState(null, "", "#op=" + encodeURIComponent(log.text(log.id[op])));
    view.reveal(op);
  }

  // follow shows and focuses the operation that the address names.
  follow() {
    if (!location.hash.startsWith("#op=")) return;
    let id = location.hash.slice(4);
    try { id = decodeURIComponent(id); } catch { /* it is not encoded */ }
    const op = this.log.find(id);
    if (op < 0) {
      element("told").textContent = "The log has no operation [" + id + "].";
      return;
    }
    this.select(op);
    this.view.canvas.focus();
    this.view.canvas.scrollIntoView({ block: "center" });
  }

  // walk goes through the order that explains the operations.
  walk() {
    const { log, view } = this, { answers, states, state } = log.data, range = element("step");
    if (!log.order.length) return;
    element("walk").hidden = false;
    range.max = log.order.length;
    const go = () => {
      const n = Number(range.value), op = log.order[n - 1];
      view.step = n;
      if (n) this.select(op); else this.select(-1);
      let text = n ? n + " of " + log.order.length + ": " + log.name(op) + " " + log.label(op) : "Before the first of " + log.order.length + " operations.";
      if (n && answers[op] !== undefined) text += " (pending; here it answers" + (answers[op] || " nothing") + ")";
      const then = n && states ? states[n - 1] : n === log.order.length ? state : "";
      if (then) text += ". The object is then " + then + ".";
      element("taken").textContent = text;
      range.setAttribute("aria-valuetext", text);
    };
    range.addEventListener("input", go);
    element("back").addEventListener("click", () => { range.stepDown(); go(); });
    element("next").addEventListener("click", () => { range.stepUp(); go(); });
    element("taken").textContent = "Before the first of " + log.order.length + " operations.";
  }

  // mark highlights operations in the drawing of the log.
  mark(ids) {
    this.view.marks = new Set(ids.map(id => this.log.find(id)).filter(op => op >= 0));
    this.view.redraw();
  }
}

// derivation makes steps buttons that highlight the operations that they are about.
function derivation(verdict) {
  const rows = [...document.querySelectorAll("tr[data-op]")];
  const press = button => {
    const on = button?.getAttribute("aria-pressed") === "false";
    const ids = on ? JSON.parse(button.closest("li").dataset.ops) : [];
    for (const b of document.querySelectorAll(".derivation button")) b.setAttribute("aria-pressed", String(on && b === button));
    for (const row of rows) {
      const marked = ids.includes(row.dataset.op);
      row.classList.toggle("marked", marked);
      element(row.dataset.lane)?.classList.toggle("marked", marked);
    }
    verdict.mark(ids);
  };
  for (const step of document.querySelectorAll(".derivation .step")) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.append(...step.childNodes);
    button.addEventListener("click", () => press(button));
    step.append(button);
  }
}

// The page is painted first, and what needs the whole log comes after it.
requestAnimationFrame(() => setTimeout(() => {
  element("whole").hidden = false;
  const verdict = new Verdict(new Log(JSON.parse(element("data").textContent)));
  derivation(verdict);
  requestAnimationFrame(() => performance.mark("drawn"));
}));
