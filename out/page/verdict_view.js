// The drawing: a canvas that shows a part of the log, and a strip that shows which.

const RowHeight = 26, BarHeight = 18, AxisHeight = 20, NoteHeight = 18, MostNotes = 3, MostHeight = 480, LeastSpan = 4;

class View {
  constructor(log, canvas, strip) {
    this.log = log;
    this.canvas = canvas;
    this.strip = strip;
    this.from = 0; // the first event that is shown
    this.span = Math.max(log.data.events, LeastSpan); // how many are
    this.top = 0; // pixels of rows above those that are shown
    this.selected = -1;
    this.marks = new Set();
    this.step = -1;
    this.guilty = new Set(log.data.marks);
    this.colours();
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    this.colour = {};
    for (const name of ["paper", "ink", "soft", "line", "panel", "mark", "bad", "good", "open"]) this.colour[name] = style.getPropertyValue("--" + name).trim();
    this.redraw();
  }

  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.draw(); this.drawStrip(); });
  }

  get left() { return this.width < 600 ? 64 : 120; }
  get scale() { return (this.width - this.left) / this.span; }
  get head() { return AxisHeight + NoteHeight * this.notes; } // the height of what is above the rows
  get notes() { return Math.min(this.log.annotators.length, MostNotes); }
  get rowsHeight() { return this.height - this.head; }
  x(event) { return this.left + (event - this.from) * this.scale; }

  // sized is a context for a canvas as large as it is on the screen.
  sized(canvas, height) {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = height + "px";
    }
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    g.textBaseline = "middle";
    return g;
  }

  draw() {
    const { log, colour } = this;
    this.height = Math.min(MostHeight, log.lanes.length * RowHeight + this.head + 4);
    this.width = this.canvas.clientWidth;
    this.keepInside();
    const g = this.sized(this.canvas, this.height);
    const first = Math.floor(this.top / RowHeight);
    const last = Math.min(log.lanes.length, Math.ceil((this.top + this.rowsHeight) / RowHeight));
    const special = this.special;
    this.drawBands(g);
    g.save();
    g.beginPath();
    g.rect(0, this.head, this.width, this.rowsHeight);
    g.clip();
    for (let l = first; l < last; l++) this.drawLane(g, log.lanes[l], this.head + l * RowHeight - this.top, special);
    g.restore();
    this.drawAxis(g);
    if (!log.lanes.length) {
      g.fillStyle = colour.soft;
      g.font = "14px system-ui, sans-serif";
      g.fillText(log.ops ? "Nothing is left by the filters." : "The log has no operations.", 8, AxisHeight / 2);
    }
  }

  keepInside() {
    const events = Math.max(this.log.data.events, LeastSpan);
    this.span = Math.min(Math.max(this.span, LeastSpan), events);
    this.from = Math.min(Math.max(this.from, 0), events - this.span);
    this.top = Math.min(Math.max(this.top, 0), Math.max(0, this.log.lanes.length * RowHeight - this.rowsHeight + 4));
  }

  drawAxis(g) {
    const { colour } = this;
    g.font = "12px ui-monospace, monospace";
    g.fillStyle = colour.soft;
    g.strokeStyle = colour.line;
    g.lineWidth = 1;
    const least = 90 / this.scale;
    let tick = Math.max(1, 10 ** Math.floor(Math.log10(least)));
    while (tick < least) tick *= tick * 2 >= least ? 2 : tick * 5 >= least ? 5 : 10;
    g.beginPath();
    for (let e = Math.ceil(this.from / tick) * tick; e < this.from + this.span; e += tick) {
      const x = this.x(e);
      g.moveTo(x, 12);
      g.lineTo(x, AxisHeight);
      g.fillText(e.toLocaleString("en"), x + 3, 8);
    }
    g.stroke();
    const prefix = this.log.data.prefix, x = this.x(prefix);
    if (prefix && x >= this.left && x <= this.width) {
      g.strokeStyle = colour.bad;
      g.setLineDash([4, 3]);
      g.beginPath();
      g.moveTo(x, 0);
      g.lineTo(x, this.height);
      g.stroke();
      g.setLineDash([]);
    }
  }

  // drawBands draws annotations: their names above the rows, and behind the rows how long they last.
  drawBands(g) {
    const { log, colour } = this, end = this.from + this.span;
    g.font = "12px ui-monospace, monospace";
    g.lineWidth = 1;
    const reached = []; // by row: where the name before ends
    for (const band of log.bands) {
      if (band.to < this.from || band.at > end) continue;
      const x = Math.max(this.x(band.at), this.left), to = Math.min(this.x(band.to), this.width), row = Math.min(band.row, MostNotes - 1), y = AxisHeight + row * NoteHeight;
      g.fillStyle = g.strokeStyle = colour.open;
      if (!band.ends) {
        g.globalAlpha = 0.15;
        g.fillRect(x, y, Math.max(to - x, 1), this.height - y);
        g.globalAlpha = 1;
      }
      g.beginPath();
      g.moveTo(x, y);
      g.lineTo(x, this.height);
      g.stroke();
      if (x < (reached[row] ?? 0)) continue;
      const name = fitted(band.text, to - x - 6, 7.3);
      if (name.length < 2) continue;
      g.fillStyle = colour.ink;
      g.fillText(name, x + 4, y + NoteHeight / 2);
      reached[row] = x + name.length * 7.3;
    }
    g.fillStyle = colour.soft;
    log.annotators.slice(0, MostNotes).forEach((by, i) => g.fillText(fitted(by, this.left - 8, 7.3), 6, AxisHeight + (i + 0.5) * NoteHeight));
  }

  drawLane(g, lane, y, special) {
    const { log, colour } = this, middle = y + RowHeight / 2;
    g.strokeStyle = colour.line;
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(this.left, middle);
    g.lineTo(this.width, middle);
    g.stroke();
    g.font = "13px ui-monospace, monospace";
    const end = this.from + this.span, pixel = 1 / this.scale, after = [];
    g.save();
    g.beginPath();
    g.rect(this.left, y, this.width - this.left, RowHeight);
    g.clip();
    for (let i = log.after(lane, this.from - 1); i < lane.to;) {
      const op = log.inLanes[i];
      if (log.call[op] > end) break;
      if (this.isSpecial(op)) after.push(op); else this.drawOp(g, op, y);
      i++;
      if (pixel > 4) i = Math.max(i, log.after(lane, Math.min(log.return[op], end) + pixel)); // what is too small to be seen is passed over
    }
    for (const op of special) {
      if (log.lane(op) === log.laneOf[lane.row] && !after.includes(op) && log.return[op] >= this.from && log.call[op] <= end) after.push(op);
    }
    for (const op of after) this.drawOp(g, op, y);
    g.restore();
    g.fillStyle = colour.soft;
    const name = log.rows[lane.row], letters = Math.floor((this.left - 10) / Letter);
    g.fillText(name.length <= letters ? name : "…" + name.slice(1 - letters), 6, middle); // names differ at their ends
  }

  // special operations are drawn last, however small they are.
  get special() { return new Set([...this.guilty, ...this.marks, ...(this.selected < 0 ? [] : [this.selected])]); }
  isSpecial(op) { return op === this.selected || this.guilty.has(op) || this.marks.has(op); }

  drawOp(g, op, y) {
    const { log, colour } = this, pending = log.return[op] === Infinity32, special = this.isSpecial(op);
    let x = this.x(log.call[op]) + 1;
    const right = pending ? this.width + 4 : this.x(log.return[op] + 1) - 1, to = Math.min(right, this.width + 4);
    const text = Math.max(x, this.left) + 5;
    x = Math.max(x, this.left - 4);
    const width = Math.max(to - x, special ? 4 : 1), top = y + (RowHeight - BarHeight) / 2;
    if (width < 3 && !special) {
      g.fillStyle = pending ? colour.open : colour.soft;
      g.fillRect(x, top, width, BarHeight);
      return;
    }
    g.fillStyle = colour.panel;
    g.fillRect(x, top, width, BarHeight);
    if (this.step >= 0 && log.at[op] && log.at[op] <= this.step) {
      g.fillStyle = colour.good;
      g.fillRect(x, top + BarHeight - 3, width, 3);
    }
    g.strokeStyle = this.selected === op || this.marks.has(op) ? colour.mark : this.guilty.has(op) ? colour.bad : pending ? colour.open : colour.soft;
    g.lineWidth = this.selected === op ? 3 : special ? 2 : 1;
    g.beginPath();
    if (pending) { // open at its end
      g.moveTo(this.width + 4, top);
      g.lineTo(x, top);
      g.lineTo(x, top + BarHeight);
      g.lineTo(this.width + 4, top + BarHeight);
    } else {
      g.rect(x, top, width, BarHeight);
    }
    g.stroke();
    const letters = Math.floor((to - text - 3) / Letter);
    if (letters < 1) return;
    const name = log.name(op), label = log.label(op);
    const words = [name + " " + label, label, name, name.slice(1, -1)].find(w => w.length <= letters) ?? (letters > 8 ? fitted(label, to - text - 3) : "");
    g.fillStyle = colour.ink;
    g.fillText(words, text, y + RowHeight / 2);
  }

  // drawStrip draws how much is called where in the log, and which part is shown.
  drawStrip() {
    const { log, colour, strip } = this, g = this.sized(strip, 44), width = strip.clientWidth, events = Math.max(log.data.events, LeastSpan);
    if (this.counted !== log.isShown || this.counts.length !== width) {
      this.counted = log.isShown;
      this.counts = new Int32Array(width);
      for (const op of log.inLanes) this.counts[Math.floor(log.call[op] / events * width)]++;
      this.most = this.counts.reduce((a, b) => Math.max(a, b), 1);
    }
    g.fillStyle = colour.open;
    g.globalAlpha = 0.3;
    for (const band of log.bands) if (!band.ends) g.fillRect(band.at / events * width, 0, Math.max((band.to - band.at) / events * width, 1), 44);
    g.globalAlpha = 1;
    g.fillStyle = colour.soft;
    this.counts.forEach((n, x) => g.fillRect(x, 40 - 32 * n / this.most, 1, 32 * n / this.most));
    g.fillStyle = colour.bad;
    for (const op of this.guilty) g.fillRect(log.call[op] / events * width - 1, 0, 3, 44);
    g.strokeStyle = colour.mark;
    g.lineWidth = 3;
    g.strokeRect(this.from / events * width + 1.5, 1.5, Math.max(this.span / events * width - 3, 2), 41);
    strip.setAttribute("aria-valuemax", events);
    strip.setAttribute("aria-valuenow", Math.round(this.from));
    strip.setAttribute("aria-valuetext", "events " + Math.round(this.from) + " to " + Math.round(this.from + this.span) + " of " + log.data.events);
  }

  move(events) { this.from += events; this.redraw(); }

  // zoom makes the view so many times as long, around an event.
  zoom(times, around = this.centre()) {
    const span = Math.min(Math.max(this.span * times, LeastSpan), Math.max(this.log.data.events, LeastSpan));
    this.from = around - (around - this.from) * span / this.span;
    this.span = span;
    this.redraw();
  }

  centre() {
    const s = this.selected;
    if (s >= 0 && this.log.return[s] >= this.from && this.log.call[s] <= this.from + this.span) return Math.max(this.from, this.log.call[s]);
    return this.from + this.span / 2;
  }

  everything() { this.from = this.top = 0; this.span = this.log.data.events; this.redraw(); }

  // reveal moves the view so that an operation is in it, and can be read.
  reveal(op) {
    const { log } = this, call = log.call[op], end = Math.min(log.return[op], call + 20);
    if (this.span > 400) { this.span = 40; this.from = call - 10; }
    if (call < this.from || end > this.from + this.span) this.from = call - this.span / 4;
    const y = log.lane(op) * RowHeight;
    if (y >= 0 && (y < this.top || y + RowHeight > this.top + this.rowsHeight)) this.top = y - this.rowsHeight / 2;
    this.redraw();
  }

  // show moves the view so that several operations are in it.
  show(ops) {
    let first = Infinity, last = 0;
    for (const op of ops) {
      first = Math.min(first, this.log.call[op]);
      last = Math.max(last, Math.min(this.log.return[op], this.log.data.prefix || Infinity32), this.log.call[op] + 1);
    }
    this.span = Math.max((last - first) * 1.2, 20);
    this.from = first - (this.span - (last - first)) / 2;
    this.redraw();
  }

  // hit is the operation at a place of the canvas, or -1.
  hit(x, y) {
    const { log } = this, lane = log.lanes[Math.floor((y - this.head + this.top) / RowHeight)];
    if (!lane || y < this.head || x < this.left) return -1;
    const event = this.from + (x - this.left) / this.scale, near = 4 / this.scale;
    const i = log.after(lane, event - 1 - near), op = log.inLanes[i];
    return i < lane.to && log.call[op] <= event + near ? op : -1;
  }
}

const Letter = 7.9; // pixels, at 13 pixels of height

function fitted(text, width, letter = Letter) {
  const letters = Math.floor(width / letter);
  return text.length <= letters ? text : text.slice(0, Math.max(0, letters - 1)) + "…";
}
