"use strict";
// The log: its columns as typed arrays, its operations in rows.

// varints reads a column: the base64 of so many varints.
function varints(text, column) {
  const raw = atob(text);
  for (let i = 0, at = 0; i < column.length; i++) {
    let n = 0, scale = 1, b;
    do {
      b = raw.charCodeAt(at++);
      n += (b & 127) * scale;
      scale *= 128;
    } while (b > 127);
    column[i] = n;
  }
  return column;
}

const signed = n => n % 2 ? -(n + 1) / 2 : n / 2;
const zigzag = n => n < 0 ? -2 * n - 1 : 2 * n;

// sums makes a column of differences one of what they are differences of.
function sums(column, read = n => n) {
  for (let i = 0, sum = 0; i < column.length; i++) column[i] = sum += read(column[i]);
  return column;
}

class Log {
  constructor(data) {
    const n = data.ops, ints = () => new Int32Array(n);
    this.data = data;
    this.ops = n;
    this.kind = varints(data.kind, ints());
    this.process = varints(data.process, ints());
    this.call = sums(varints(data.call, ints()));
    this.return = varints(data.return, ints());
    for (let i = 0; i < n; i++) this.return[i] = this.return[i] ? this.call[i] + this.return[i] : Infinity32;
    this.line = sums(varints(data.line, new Float64Array(n)), signed);
    this.id = this.ids(varints(data.id, new Float64Array(n)));
    this.first = new Int32Array(n + 1); // where its values begin
    for (let i = 0; i < n; i++) {
      const k = data.kinds[this.kind[i]];
      this.first[i + 1] = this.first[i] + k.args + k.rets;
    }
    this.values = varints(data.values, new Float64Array(this.first[n]));
    this.order = this.steps(data.order);
    this.at = new Int32Array(this.order.length ? n : 0); // the step of the order, from 1
    this.order.forEach((op, i) => { this.at[op] = i + 1; });
    this.bands = this.annotated(data.annotations ?? []);
    this.layOut();
  }

  // annotated makes annotations bands: each lasts until the next one by the same.
  annotated(notes) {
    const bands = [], last = new Map();
    this.annotators = [];
    for (const note of notes) {
      if (!last.has(note.by)) this.annotators.push(note.by);
      const before = last.get(note.by), band = { ...note, to: this.data.events, row: this.annotators.indexOf(note.by), ends: /^(stop|heal|resume|recover)/i.test(note.text) };
      if (before) before.to = note.at;
      last.set(note.by, band);
      bands.push(band);
    }
    return bands;
  }

  // ids makes the differences of identifiers codes.
  ids(codes) {
    for (let i = 0, before = 0; i < codes.length; i++) {
      if (codes[i] % 2) continue;
      before += signed(codes[i] / 2);
      codes[i] = 2 * zigzag(before);
    }
    return codes;
  }

  steps(text) {
    const raw = atob(text);
    let n = 0;
    for (let i = 0; i < raw.length; i++) if (raw.charCodeAt(i) < 128) n++;
    return sums(varints(text, new Int32Array(n)), signed);
  }

  text(code) {
    return code % 2 ? this.data.texts[(code - 1) / 2] : String(signed(code / 2));
  }

  // code is that of a text, or -1 if the log does not have it.
  code(text) {
    if (/^(0|-?[1-9][0-9]{0,14})$/.test(text) && Math.abs(Number(text)) < 2 ** 48) return 2 * zigzag(Number(text));
    this.places ??= new Map(this.data.texts.map((t, i) => [t, i]));
    const i = this.places.get(text);
    return i === undefined ? -1 : 2 * i + 1;
  }

  // find is the operation of an identifier, or -1.
  find(id) {
    const code = this.code(id);
    return code < 0 ? -1 : this.id.indexOf(code);
  }

  name(op) { return "[" + this.text(this.id[op]) + "]"; }

  label(op) {
    const k = this.data.kinds[this.kind[op]], from = this.first[op], values = [];
    for (let i = 0; i < k.args + k.rets; i++) values.push(this.text(this.values[from + i]));
    let text = k.method;
    if (k.args) text += "(" + values.slice(0, k.args).join(", ") + ")";
    if (k.outcome === "") return text + "*";
    const rets = values.slice(k.args).join(", ");
    if (k.rets) return text + " => " + (k.outcome === "value" ? "" : k.outcome + " ") + rets;
    return k.outcome === "none" ? text : text + " => " + k.outcome;
  }

  // layOut gives each operation a row: that of its process, or one below it if the process
  // has another that has not returned.
  layOut() {
    const event = new Int32Array(this.data.events), names = this.data.processes;
    for (let i = 0; i < this.ops; i++) {
      event[this.call[i]] = i + 1;
      if (this.return[i] < event.length) event[this.return[i]] = -(i + 1);
    }
    const free = names.map(() => []), rows = [], used = names.map(() => 0);
    this.row = new Int32Array(this.ops);
    for (const e of event) {
      const op = Math.abs(e) - 1, p = this.process[op];
      if (e < 0) free[p].push(this.row[op]);
      if (e <= 0) continue;
      if (!free[p].length) {
        free[p].push(rows.length);
        rows.push({ process: p, nth: used[p]++ });
      }
      this.row[op] = free[p].pop();
    }
    const place = names.map((_, i) => i);
    if (names.length <= 10000) {
      const collator = new Intl.Collator("en", { numeric: true });
      place.sort((a, b) => collator.compare(names[a], names[b]) || a - b);
    }
    const rank = new Int32Array(names.length);
    place.forEach((p, i) => { rank[p] = i; });
    const sorted = rows.map((_, i) => i).sort((a, b) => rank[rows[a].process] - rank[rows[b].process] || rows[a].nth - rows[b].nth);
    const to = new Int32Array(rows.length);
    sorted.forEach((r, i) => { to[r] = i; });
    for (let i = 0; i < this.ops; i++) this.row[i] = to[this.row[i]];
    this.rows = sorted.map(r => {
      const name = names[rows[r].process], nth = rows[r].nth + 1;
      return name === "" ? "lane " + nth : name + (nth > 1 ? " (" + nth + ")" : ""); // lanes of nobody are packed from overlap
    });
    this.show(() => true);
  }

  // show chooses the operations that are shown, and puts them into rows of their own.
  show(wanted) {
    const count = new Int32Array(this.rows.length), yes = new Uint8Array(this.ops);
    this.shown = 0;
    for (let i = 0; i < this.ops; i++) {
      if (!wanted(i)) continue;
      yes[i] = 1;
      count[this.row[i]]++;
      this.shown++;
    }
    this.lanes = []; // rows with operations
    this.laneOf = new Int32Array(this.rows.length).fill(-1);
    let from = 0;
    for (let r = 0; r < count.length; r++) {
      if (!count[r]) continue;
      this.laneOf[r] = this.lanes.length;
      this.lanes.push({ row: r, from, to: from });
      from += count[r];
    }
    this.inLanes = new Int32Array(from); // operations, lane after lane, in the order of their calls
    for (let i = 0; i < this.ops; i++) {
      if (yes[i]) this.inLanes[this.lanes[this.laneOf[this.row[i]]].to++] = i;
    }
    this.isShown = yes;
  }

  lane(op) { return this.isShown[op] ? this.laneOf[this.row[op]] : -1; }

  // after is where in a lane the first operation is that has not returned before an event.
  after(lane, event) {
    let low = lane.from, high = lane.to;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.return[this.inLanes[mid]] < event) low = mid + 1; else high = mid;
    }
    return low;
  }
}

const Infinity32 = 2 ** 31 - 1; // the return of what is pending
