"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const el = (tag, props = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
};

// A list of rows of equal height, of which only those in sight exist.
class List {
  constructor(box, draw) {
    this.box = box; this.draw = draw; this.count = 0; this.shown = new Map(); this.height = 18;
    this.inner = el("div", { className: "inner" });
    box.append(this.inner);
    box.addEventListener("scroll", () => this.fill());
    new ResizeObserver(() => this.fill()).observe(box);
  }
  reset(count) {
    this.count = count;
    this.inner.style.height = count * this.height + "px";
    this.redraw();
  }
  redraw() {
    this.shown.forEach((row) => row.remove());
    this.shown.clear();
    this.fill();
  }
  fill() {
    const from = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 10);
    const to = Math.min(this.count, Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.height) + 10);
    for (const [i, row] of this.shown) if (i < from || i >= to) { row.remove(); this.shown.delete(i); }
    for (let i = from; i < to; i++) {
      if (this.shown.has(i)) continue;
      const row = this.draw(i);
      row.style.top = i * this.height + "px";
      this.shown.set(i, row);
      this.inner.append(row);
    }
  }
  reveal(i) {
    const top = i * this.height, box = this.box;
    if (top < box.scrollTop + 2 * this.height || top > box.scrollTop + box.clientHeight - 3 * this.height)
      box.scrollTop = Math.max(0, top - box.clientHeight / 2);
    this.redraw();
  }
}

// What the source pane shows: lines of the file, and above some of them what holds there.
let file = 0, run = 0, step = -1, rows = [], stepsOn = new Map();
const steps = () => (data.runs[run] ? data.runs[run].steps : []);
const states = new Map();
// Of several targets on a line the mark is that of the worst.
const worst = ["fails", "unknown", "cut off", "proved", "open"];
data.targets.forEach((t) => {
  const at = t.file + ":" + t.line;
  const before = states.get(at);
  if (before === undefined || worst.indexOf(t.state) < worst.indexOf(before)) states.set(at, t.state);
});

function layOut() {
  rows = [];
  const invariants = data.invariants.filter((i) => i.file === file);
  (data.files[file] ? data.files[file].text.trimEnd().split("\n") : []).forEach((text, i) => {
    invariants.filter((v) => v.line === i + 1).forEach((v) => rows.push({ line: i + 1, invariant: v.what + ": " + v.text }));
    rows.push({ line: i + 1, text });
  });
  stepsOn = new Map();
  steps().forEach((s, i) => {
    if (s.file === file) stepsOn.set(s.line, (stepsOn.get(s.line) || []).concat(i));
  });
}

const source = new List($("source"), (i) => {
  const r = rows[i];
  if (r.invariant) return el("div", { className: "row inv" }, el("span", { className: "no" }), r.invariant);
  const row = el("div", { className: "row" }, el("span", { className: "no", textContent: r.line }), r.text.replace(/\t/g, "    "));
  const now = steps()[step], ran = stepsOn.get(r.line);
  row.dataset.line = r.line;
  if (ran) row.classList.add("ran");
  const state = states.get(file + ":" + r.line);
  if (state === "fails") row.classList.add("defect");
  if (state === "proved") row.classList.add("proved");
  if (now && now.file === file && now.line === r.line) row.classList.add(step === steps().length - 1 ? "fails" : "here");
  row.addEventListener("click", () => { if (ran) go(ran.find((s) => s > step) ?? ran[0]); });
  return row;
});

// The files that the run lies in are named where there are several.
let files = 1;
const shortName = (f) => (data.files[f] ? data.files[f].name.split(/[\\/]/).pop() : "");

const trace = new List($("trace"), (i) => {
  const s = steps()[i];
  const row = el("div", { className: "row" });
  row.dataset.step = i;
  if (s.gap) {
    row.classList.add("gap");
    row.append(el("span", { className: "no" }), "  ".repeat(Math.min(s.depth, 16)) + "… " + s.gap + " …");
    return row;
  }
  const name = files > 1 ? shortName(s.file) + ":" : "";
  const no = el("span", { className: files > 1 ? "no named" : "no", textContent: name + s.line, title: name + s.line });
  // What the step did stands behind the text, and is what one looks for.
  const cut = s.remarks.length && s.source.length > 46 ? s.source.slice(0, 44) + " …" : s.source;
  row.append(no, "  ".repeat(Math.min(s.depth, 16)), el("span", { textContent: cut, title: s.source }), "  ");
  if (s.remarks.length) row.append(el("span", { className: "remark", textContent: "// " + s.remarks.join(", ") }));
  if (i === step) row.classList.add(i === steps().length - 1 ? "fails" : "here");
  row.addEventListener("click", () => go(i));
  return row;
});

// Values at a step: what the steps before it have said, for each open call.
function valuesAt(n) {
  const frames = [], all = steps(), rule = new Map();
  for (let i = 0; i <= n; i++) {
    const s = all[i];
    if (s.gap) continue;
    while (frames.length && frames[frames.length - 1].depth > s.depth) frames.pop();
    let top = frames[frames.length - 1];
    if (!top || top.depth < s.depth) frames.push((top = { depth: s.depth, name: s.function, values: new Map() }));
    for (const remark of s.remarks) {
      const changed = /^([^:]+): .* -> (.*)$/.exec(remark);
      if (changed) { rule.set(changed[1], changed[2]); continue; }
      const call = /^calls ([^(]+)\((.*)\)$/.exec(remark);
      if (call) {
        const values = new Map();
        call[2].split(", ").forEach((part) => { const at = part.indexOf(" = "); if (at > 0) values.set(part.slice(0, at), { value: part.slice(at + 3), at: i }); });
        frames.push({ depth: s.depth + 1, name: call[1], values });
        continue;
      }
      const at = remark.indexOf(" = ");
      if (at <= 0) continue;
      const name = remark.slice(0, at);
      if (data.rule && name in data.rule.states) rule.set(name, remark.slice(at + 3));
      else top.values.set(name, { value: remark.slice(at + 3), at: i });
    }
  }
  return { frames, rule };
}

function showValues() {
  const box = $("values");
  box.replaceChildren();
  if (step < 0) return;
  const { frames, rule } = valuesAt(step);
  if (data.rule) {
    box.append(el("h2", { textContent: "Rule " + data.rule.name }));
    for (const [name, values] of Object.entries(data.rule.states)) {
      const now = rule.get(name) ?? values[0];
      const chips = values.map((v) => el("span", { className: v === now ? "chip lit" : "chip", textContent: v }));
      box.append(el("div", { className: "automaton" }, name + ": ", ...(chips.length ? chips : [now ?? "?"])));
    }
  }
  frames.slice().reverse().forEach((frame) => {
    box.append(el("h2", { textContent: frame.name + "()" }));
    const table = el("table", { className: "values" });
    for (const [name, { value, at }] of frame.values)
      table.append(el("tr", { className: at === step ? "new" : "" }, el("td", { textContent: name }), el("td", { textContent: value })));
    box.append(table);
  });
}

function openFile(n) {
  file = n;
  $("file").value = n;
  layOut();
  source.reset(rows.length);
}

function go(n, keepHash) {
  const all = steps();
  if (!all.length) return;
  n = Math.max(0, Math.min(all.length - 1, n));
  while (all[n].gap && n < all.length - 1) n++;
  step = n;
  if (all[n].file !== file) openFile(all[n].file);
  $("at").textContent = "step " + (n + 1) + " of " + all.length;
  trace.reveal(n);
  source.reveal(rows.findIndex((r) => r.line === all[n].line && !r.invariant));
  showValues();
  if (!keepHash) history.replaceState(null, "", "#run=" + (run + 1) + "&step=" + (n + 1));
}

function openRun(n, at) {
  run = n;
  $("run").value = n;
  step = -1;
  files = new Set(steps().filter((s) => !s.gap).map((s) => s.file)).size;
  layOut();
  source.reset(rows.length);
  trace.reset(steps().length);
  const inputs = data.runs[n] ? data.runs[n].inputs : [];
  $("inputs").replaceChildren(...(inputs.length ? inputs : []).map((i) => el("tr", {}, el("td", { textContent: "line " + i.line }), el("td", { textContent: i.what }), el("td", { textContent: i.value }))));
  $("inputs-head").hidden = !inputs.length;
  go(at ?? steps().length - 1);
}

function view(name) {
  document.querySelectorAll(".view").forEach((v) => v.classList.toggle("on", v.id === "view-" + name));
  document.querySelectorAll("nav button").forEach((b) => b.setAttribute("aria-selected", b.dataset.view === name));
  [source, trace].forEach((l) => l.fill());
}

// The next step at the same depth or above, in a direction.
function over(direction) {
  const all = steps(), depth = all[step] ? all[step].depth : 0;
  let n = step + direction;
  while (n > 0 && n < all.length - 1 && all[n].depth > depth) n += direction;
  go(n);
}
function out() {
  const all = steps(), depth = all[step] ? all[step].depth : 0;
  let n = step + 1;
  while (n < all.length - 1 && all[n].depth >= depth) n++;
  go(n);
}

const keys = {
  j: () => go(step + 1), ArrowDown: () => go(step + 1), k: () => go(step - 1), ArrowUp: () => go(step - 1),
  n: () => over(1), p: () => over(-1), o: out, Home: () => go(0), g: () => go(0), End: () => go(steps().length - 1), G: () => go(steps().length - 1),
  "]": () => data.runs.length && openRun((run + 1) % data.runs.length), "[": () => data.runs.length && openRun((run + data.runs.length - 1) % data.runs.length),
};
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "SELECT") return;
  const views = document.querySelectorAll("nav button");
  if (e.key >= "1" && e.key <= String(views.length)) return view(views[e.key - 1].dataset.view);
  if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
});

function link(place) {
  const a = el("a", { href: "#", textContent: data.files[place.file] ? data.files[place.file].name + ":" + place.line : "line " + place.line });
  a.addEventListener("click", (e) => {
    e.preventDefault();
    view("run");
    if (place.run !== undefined && place.run !== null) return openRun(place.run);
    openFile(place.file);
    source.reveal(rows.findIndex((r) => r.line === place.line && !r.invariant));
  });
  return a;
}

function showTargets() {
  const table = $("targets");
  table.append(el("tr", {}, ...["", "where", "what", ""].map((t) => el("th", { textContent: t }))));
  data.targets.forEach((t) => {
    const word = t.state === "fails" || t.state === "proved" ? t.state + "-word" : "other-word";
    table.append(el("tr", {}, el("td", { className: word, textContent: t.state }), el("td", {}, link(t)), el("td", { textContent: t.what }), el("td", { textContent: t.note })));
  });
  const rest = $("rest");
  const section = (title, lines) => {
    if (lines.length) rest.append(el("h2", { textContent: title }), el("pre", { textContent: lines.join("\n") }));
  };
  section("The answer rests on", data.assumptions);
  section("What to try next", data.advice);
  section("Functions of the program that the entry does not reach", data.unreached);
  section("Messages", data.messages);
  section("Notes", data.notes);
}

// Bars for the rounds of the refinement.
function showTimeline() {
  const rounds = data.iterations, box = $("timeline");
  const total = data.phases.reduce((sum, p) => sum + p.time, 0) || 1;
  const phases = el("table", {});
  data.phases.forEach((p) => phases.append(el("tr", {}, el("td", { textContent: p.name }), el("td", { className: "num", textContent: p.time.toFixed(3) + " s" }),
    el("td", {}, el("div", { style: `background: var(--blue); height: 10px; width: ${Math.max(1, (300 * p.time) / total)}px` })))));
  box.append(el("h2", { textContent: "Time in each phase" }), phases);
  box.append(el("h2", { textContent: "Rounds of refinement" }));
  if (!rounds.length) return box.append(el("p", { textContent: "There were none: another engine decided, or the first abstraction did." }));
  const names = Object.keys(rounds[0]);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const width = Math.max(200, rounds.length * 14 + 40), most = Math.max(1, ...rounds.map((r) => r.predicates));
  svg.setAttribute("width", width); svg.setAttribute("height", 130);
  svg.innerHTML = rounds.map((r, i) => `<rect x="${30 + i * 14}" y="${110 - (100 * r.predicates) / most}" width="10" height="${(100 * r.predicates) / most}" fill="#1f4e9c"><title>round ${i + 1}: ${r.predicates} predicates</title></rect>`).join("") +
    `<text x="0" y="14">${most}</text><text x="0" y="112">0</text><text x="30" y="126">predicates, round by round</text>`;
  const table = el("table", {}, el("tr", {}, el("th", { textContent: "round" }), ...names.map((n) => el("th", { className: "num", textContent: n.replace(/_/g, " ") }))));
  rounds.forEach((r, i) => table.append(el("tr", {}, el("td", { className: "num", textContent: i + 1 }), ...names.map((n) => el("td", { className: "num", textContent: r[n] })))));
  box.append(svg, table);
}

data.files.forEach((f, i) => $("file").append(el("option", { value: i, textContent: f.name })));
$("file").addEventListener("change", (e) => openFile(Number(e.target.value)));
data.runs.forEach((r, i) => $("run").append(el("option", { value: i, textContent: r.title })));
$("run").addEventListener("change", (e) => openRun(Number(e.target.value)));
if (!data.runs.length) ["trace-pane", "values-pane"].forEach((id) => $(id).remove());
document.querySelectorAll("nav button").forEach((b) => b.addEventListener("click", () => view(b.dataset.view)));
$("bp").textContent = data.boolean_program || "The answer was found without a boolean program.";
$("preds").textContent = data.predicates || "";
showTargets();
showTimeline();
view("run");
if (data.files.length) openFile(0);
const wanted = /^#run=(\d+)&step=(\d+)$/.exec(location.hash);
if (data.runs.length) openRun(wanted ? Math.min(data.runs.length, Number(wanted[1])) - 1 : 0, wanted ? Number(wanted[2]) - 1 : undefined);
document.body.dataset.ready = "yes";
