// The interleaving as a picture: lanes, bars of locks, switches, arrows. Only
// what can be seen is drawn.

const trace = data.trace;
const rows = trace ? trace.rows : [];
const LINE = 28, SWITCH = 18;
// Room for the numbers of steps and lines.
const digits = String(rows.length).length + rows.reduce((most, row) => Math.max(most, String(row.line || "").length), 0);
const GUTTER = Math.max(74, 38 + 7 * digits);

// How long the texts of each thread are. Heap objects have numbers; where they were made is
// in the title.
const LETTER = 7.2, CLOSEST = 120;
const shortText = (row) => row.text.replace(/(#\d+) from \S+:\d+/g, "$1");
const longest = trace ? trace.threads.map(() => 0) : [];
rows.forEach((row) => { longest[row.thread] = Math.max(longest[row.thread], shortText(row).length); });

// What is drawn below each other: steps, and what is said between them.
const items = [];
const itemOf = [];
rows.forEach((row, index) => {
  if (row.cycle) items.push({ aside: "from here on again and again", height: SWITCH });
  if (row.switch) items.push({ from: row.switch.from, to: row.thread, preempted: row.switch.preemption, height: SWITCH });
  itemOf[index] = items.length;
  items.push({ step: index, height: LINE });
});
const tops = [0];
items.forEach((item, index) => tops.push(tops[index] + item.height));
const middle = (step) => tops[itemOf[step]] + LINE / 2;
const runs = [];
rows.forEach((row, index) => {
  const last = runs[runs.length - 1];
  if (last && last.thread === row.thread) last.to = index;
  else runs.push({ thread: row.thread, from: index, to: index });
});

// The first item that ends below y.
function itemAt(y) {
  let low = 0, high = items.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if (tops[half + 1] <= y) low = half + 1;
    else high = half;
  }
  return low;
}

let now = -1;
let layout = null;

// With room enough every thread has a lane with its text in it; without, the
// lanes are lines side by side, and all text stands to their right.
function measure() {
  const width = $("scroll").clientWidth || 600;
  const count = Math.max(1, trace.threads.length);
  const lane = (width - GUTTER) / count;
  const wide = lane >= 150;
  const gap = wide ? laneWidth(width, count, lane) : Math.max(7, Math.min(20, ((width - GUTTER) * 0.4) / count));
  const axis = (thread) => GUTTER + (wide ? 20 : gap / 2 + 4) + thread * gap;
  const textLeft = (thread) => (wide ? axis(thread) + 13 : GUTTER + 12 + count * gap);
  layout = { width, wide, gap, axis, textLeft };
  $("picture").style.height = `${tops[items.length]}px`;
  $("trace").style.setProperty("--gutter", `${GUTTER - 8}px`);
  // A short execution needs no tall page.
  const narrow = matchMedia("(max-width: 960px)").matches;
  $("execution").style.maxHeight = narrow ? "" : `${Math.max(560, tops[items.length] + 150)}px`;
  $("trace").style.maxHeight = narrow ? `${tops[items.length] + 140}px` : "";
  heads();
}

// Lanes stand closer to each other if the texts of the last one need the room: only one step is in
// each row, so that texts may reach over the lanes that follow.
function laneWidth(width, count, lane) {
  const needed = longest[count - 1] * LETTER + 40;
  return count < 2 ? lane : Math.max(Math.min(CLOSEST, lane), Math.min(lane, (width - GUTTER - 20 - needed) / (count - 1)));
}

function heads() {
  const node = $("lanes");
  node.replaceChildren();
  node.classList.toggle("many", !layout.wide);
  if (layout.wide) {
    const line = make("em", "", "line");
    line.style.right = `${layout.width - GUTTER + 12}px`;
    node.append(make("em", "", "step"), line);
  }
  trace.threads.forEach((thread, index) => {
    const head = make("span", "", thread.name);
    head.title = thread.name;
    head.style.color = colour(index);
    if (layout.wide) {
      head.style.left = `${layout.axis(index) - 6}px`;
      const last = index === trace.threads.length - 1;
      head.style.width = `${last ? layout.width - layout.axis(index) : layout.gap - 12}px`;
    }
    node.append(head);
  });
}

// Draws what can be seen, and a little more.
function draw() {
  const scroll = $("scroll"), picture = $("picture");
  const top = Math.max(0, scroll.scrollTop - 300);
  // What is drawn ends where the steps end, or there would be something to scroll to.
  const bottom = Math.min(tops[items.length], scroll.scrollTop + (scroll.clientHeight || 600) + 300);
  const first = itemAt(top);
  const nodes = [drawing(top, bottom)];
  for (let index = first; index < items.length && tops[index] < bottom; index++) {
    nodes.push(items[index].step === undefined ? asideNode(index) : rowNode(index));
  }
  picture.replaceChildren(...nodes);
}

function rowNode(index) {
  const step = items[index].step, row = rows[step];
  const node = make("div", `row ${row.role || ""}`);
  node.classList.toggle("now", step === now);
  node.classList.toggle("later", step > now);
  node.style.top = `${tops[index]}px`;
  node.style.height = `${LINE}px`;
  node.dataset.step = step;
  node.setAttribute("role", "option");
  node.setAttribute("aria-selected", step === now);
  const gutter = make("span", "gutter");
  gutter.append(make("span", "", step + 1), make("span", "", row.line ? `:${row.line}` : ""));
  const what = make("span", "what");
  if (!layout.wide) {
    const who = make("b", "", trace.threads[row.thread].short);
    who.style.color = colour(row.thread);
    what.append(who);
  }
  const text = shortText(row);
  what.append(...rich("span", "", row.times > 1 ? `${text} (${row.times} times)` : text).childNodes);
  what.title = `${trace.threads[row.thread].name}: ${row.text} (${place(position(row))})`;
  placeText(what, row.thread);
  node.append(gutter, what);
  return node;
}

// Text stands right of its lane. If some of a lane's texts need more room than there is, and
// there is more on the left, all of them stand there.
function placeText(node, thread) {
  const right = layout.width - layout.textLeft(thread) - 6, left = layout.axis(thread) - GUTTER - 26;
  if (layout.wide && longest[thread] * LETTER > right && left > right) {
    node.style.right = `${layout.width - layout.axis(thread) + 26}px`;
    node.style.maxWidth = `${left}px`;
  } else {
    node.style.left = `${layout.textLeft(thread)}px`;
    node.style.maxWidth = `${right}px`;
  }
}

const position = (row) => ({ file: row.file === null ? "" : data.files[row.file].path, line: row.line, function: row.function });

function asideNode(index) {
  const item = items[index];
  const node = make("div", item.preempted ? "aside preempted" : "aside");
  node.style.top = `${tops[index]}px`;
  node.style.height = `${SWITCH}px`;
  const name = (thread) => trace.threads[thread].short;
  const text = item.aside || `${name(item.from)} → ${name(item.to)}${item.preempted ? ": preemption" : ""}`;
  const span = make("span", "", text);
  const left = item.aside ? layout.axis(0) : (layout.axis(item.from) + layout.axis(item.to)) / 2;
  if (layout.wide && !item.aside) {
    span.style.left = `${left}px`;
    span.style.transform = "translateX(-50%)";
  } else {
    span.style.left = `${layout.textLeft(0)}px`;
  }
  node.append(span);
  return node;
}

const NS = "http://www.w3.org/2000/svg";
function shape(tag, attributes) {
  const node = document.createElementNS(NS, tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  return node;
}

// Lanes, bars of locks, switches and arrows between two heights.
function drawing(top, bottom) {
  const svg = shape("svg", { width: layout.width, height: bottom - top });
  svg.style.top = `${top}px`;
  const seen = (from, to) => to >= top && from <= bottom;
  const put = (tag, attributes) => svg.append(shape(tag, attributes));
  const y = (value) => Math.min(bottom + 40, Math.max(top - 40, value)) - top;
  trace.threads.forEach((thread, index) => {
    if (thread.first === null || !seen(middle(thread.first), middle(thread.last))) return;
    const x = layout.axis(index);
    put("line", { x1: x, x2: x, y1: y(middle(thread.first)), y2: y(middle(thread.last)), stroke: colour(index), "stroke-opacity": 0.35, "stroke-width": 1.5, "stroke-dasharray": "2 4" });
  });
  for (const hold of trace.holds) {
    const from = middle(hold.from), to = hold.to === null ? tops[items.length] : middle(hold.to);
    if (!seen(from, to)) continue;
    const step = layout.wide ? 6 : Math.min(5, layout.gap / 3);
    const x = layout.axis(hold.thread) - (layout.wide ? 12 : step + 2) - (hold.depth % 2) * step;
    const bar = shape("rect", { x, y: y(from), width: step - 1, height: Math.max(4, y(to) - y(from)), rx: 2, fill: lockColour(hold.place), "fill-opacity": 0.85 });
    bar.append(shape("title", {}));
    bar.firstChild.textContent = `${trace.threads[hold.thread].short} holds ${trace.places[hold.place]}`;
    svg.append(bar);
  }
  for (const run of runs) {
    const from = middle(run.from), to = middle(run.to);
    if (!seen(from, to)) continue;
    const x = layout.axis(run.thread);
    put("line", { x1: x, x2: x, y1: y(from), y2: y(to), stroke: colour(run.thread), "stroke-width": 3.5, "stroke-linecap": "round" });
  }
  for (let index = itemAt(top); index < items.length && tops[index] < bottom; index++) {
    const item = items[index];
    if (item.step !== undefined) continue;
    if (item.aside) continue;
    const x1 = layout.axis(item.from), x2 = layout.axis(item.to), level = y(tops[index] + SWITCH / 2);
    put("path", { d: `M${x1} ${level - 14} Q${x1} ${level} ${(x1 + x2) / 2} ${level} T${x2} ${level + 14}`, fill: "none", stroke: item.preempted ? "var(--odd)" : "var(--dim)", "stroke-width": 1.4, "stroke-dasharray": item.preempted ? "none" : "4 3" });
  }
  // The arrows at the current step come last, above the others.
  const current = (flow) => flow.from === now || flow.to === now;
  // Lanes that are lines side by side have no room for arrows that matter less.
  const matters = (flow) => layout.wide || current(flow) || flow.kind === "value" || flow.kind === "race";
  const flows = trace.flows.filter((flow) => seen(middle(flow.from), middle(flow.to)) && matters(flow));
  for (const flow of flows.filter((flow) => !current(flow)).concat(flows.filter(current))) arrow(svg, flow, y, current(flow));
  for (let index = itemAt(top); index < items.length && tops[index] < bottom; index++) {
    const step = items[index].step;
    if (step === undefined) continue;
    const row = rows[step], big = step === now || row.role === "fault";
    put("circle", { cx: layout.axis(row.thread), cy: y(middle(step)), r: big ? 6 : 4, fill: row.role ? "var(--bad)" : colour(row.thread), stroke: "var(--card)", "stroke-width": 1.5 });
  }
  return svg;
}

function arrow(svg, flow, y, strong) {
  const x1 = layout.axis(rows[flow.from].thread), x2 = layout.axis(rows[flow.to].thread);
  const y1 = y(middle(flow.from)), y2 = y(middle(flow.to));
  const paints = { value: "var(--flow)", race: "var(--bad)" };
  const stroke = paints[flow.kind] || "var(--dim)";
  const bold = strong || flow.kind === "race";
  const opacity = bold ? 1 : flow.kind === "value" ? 0.45 : 0.25;
  const side = x2 > x1 ? -1 : 1;
  const bend = Math.min(60, Math.abs(x2 - x1) / 2);
  const d = `M${x1} ${y1} C${x1 - side * bend} ${y1 + (y2 - y1) * 0.2} ${x2 + side * bend} ${y2 - 4} ${x2 + side * 7} ${y2}`;
  svg.append(shape("path", { d, fill: "none", stroke, "stroke-width": bold ? 2.2 : 1.4, "stroke-opacity": opacity, "stroke-dasharray": flow.kind === "value" ? "none" : "5 3" }));
  const tip = `M${x2 + side * 6} ${y2} l${side * 7} -4 l0 8 z`;
  svg.append(shape("path", { d: tip, fill: stroke, "fill-opacity": opacity }));
  if (strong && flow.label) {
    const label = shape("text", { x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 4, "text-anchor": "middle", "font-size": 11.5, "font-weight": 650, fill: stroke, stroke: "var(--card)", "stroke-width": 4, "paint-order": "stroke" });
    label.textContent = flow.label;
    svg.append(label);
  }
}
