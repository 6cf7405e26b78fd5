"use strict";
// The page of a report. All that it says is in the data; this decides how it
// looks. Steps are numbered from 0 here and from 1 for people.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const make = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  // Text with what stands in backquotes as code.
  const rich = (tag, className, text) => {
    const node = make(tag, className);
    text.split("`").forEach((part, index) => node.append(index % 2 ? make("code", "", part) : part));
    return node;
  };
  const colour = (index) => `var(--t${index % 8})`;
  // Locks have colours of their own, the other way round than threads.
  const lockColour = (place) => `var(--t${7 - (place % 8)})`;
  const place = (at) => (at.line ? `${short(at.file)}:${at.line}` : at.function);
  const short = (path) => path.split("/").pop();

  // ---------------------------------------------------------------- head

  document.body.classList.add(data.verdict);
  $("badge").textContent = data.verdict;
  $("message").append(...rich("span", "", data.finding ? data.finding.message : data.summary).childNodes);
  $("summary").textContent = data.trace ? data.trace.summary : "";

  // -------------------------------------------------------------- source

  const words = /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b(0x[0-9a-fA-F]+|\d[\w.]*)\b|\b(auto|bool|break|case|catch|char|class|const|constexpr|continue|default|delete|do|double|else|enum|extern|false|float|for|goto|if|inline|int|long|namespace|new|nullptr|operator|private|protected|public|register|return|short|signed|sizeof|static|struct|switch|template|this|throw|true|try|typedef|typename|union|unsigned|using|virtual|void|volatile|while|_Atomic|_Bool|_Thread_local)\b|(^\s*#\s*\w+)/g;

  // The line in colours. Comments over several lines are seen by how their
  // lines begin, which is how people write them.
  function paint(text) {
    const out = document.createDocumentFragment();
    if (/^\s*\*(\s|\/|$)/.test(text)) {
      out.append(make("span", "c", text));
      return out;
    }
    let end = 0;
    for (const found of text.matchAll(words)) {
      out.append(text.slice(end, found.index));
      const kind = found[1] ? "c" : found[2] ? "s" : found[3] ? "n" : "k";
      out.append(make("span", kind, found[0]));
      end = found.index + found[0].length;
    }
    out.append(text.slice(end));
    return out;
  }

  // One line of source, with room for the threads that are at it.
  function sourceLine(number, text) {
    const line = make("div", "line");
    const code = make("span", "text");
    code.append(paint(text));
    line.append(make("span", "at"), make("span", "no", number), code);
    line.dataset.line = number;
    return line;
  }

  // A remark below a line, its mark below the column. The text before the
  // column stands invisibly in front, so that tabs stay tabs.
  function remark(label, text) {
    const note = make("div", label.primary ? "note" : "note other");
    const before = label.column ? text.slice(0, label.column - 1) : /^\s*/.exec(text)[0];
    const word = label.column ? /^\w*/.exec(text.slice(label.column - 1))[0] : text.trim();
    const space = before.replace(/[^\t]/g, " ");
    const mark = space + "^".repeat(Math.max(1, word.length));
    // A long remark stands below its mark, where it can be seen without scrolling.
    const columns = ($("code").clientWidth || 900) / 7.9 - 15;
    const fits = mark.length + label.text.length < columns;
    note.textContent = fits ? `${mark} ${label.text}` : `${mark}\n${space.slice(0, 8)}${label.text}`;
    return note;
  }

  // The lines that the data has of a file, with remarks.
  function fillSource(node, file, labels, from = 0, to = Infinity) {
    let next = null;
    for (const chunk of file.chunks) {
      chunk.lines.forEach((text, index) => {
        const number = chunk.first + index;
        if (number < from || number > to) return;
        if (next !== null && number !== next) node.append(make("div", "gap", "⋯"));
        next = number + 1;
        const line = sourceLine(number, text);
        node.append(line);
        for (const label of labels.filter((label) => label.line === number)) {
          line.classList.add("bad");
          node.append(remark(label, text));
        }
      });
    }
    return node.childElementCount > 0;
  }

  function snippet(label) {
    const node = make("div", "snippet");
    const file = data.files[label.file];
    if (file) fillSource(node, file, [label], label.line - 2, label.line + 2);
    return node;
  }

  // --------------------------------------------------------- the interleaving

  const trace = data.trace;
  const rows = trace ? trace.rows : [];
  const LINE = 28, SWITCH = 18, GUTTER = 74;

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
    const gap = wide ? lane : Math.max(7, Math.min(20, ((width - GUTTER) * 0.4) / count));
    const axis = (thread) => GUTTER + (wide ? 20 : gap / 2 + 4) + thread * gap;
    const textLeft = (thread) => (wide ? axis(thread) + 13 : GUTTER + 12 + count * gap);
    layout = { width, wide, gap, axis, textLeft };
    $("picture").style.height = `${tops[items.length]}px`;
    // A short execution needs no tall page.
    $("execution").style.maxHeight = matchMedia("(max-width: 960px)").matches ? "" : `${Math.max(560, tops[items.length] + 150)}px`;
    heads();
  }

  function heads() {
    const node = $("lanes");
    node.replaceChildren();
    node.classList.toggle("many", !layout.wide);
    if (layout.wide) node.append(make("em", "", "step"), make("em", "", "line"));
    trace.threads.forEach((thread, index) => {
      const head = make("span", "", thread.name);
      head.title = thread.name;
      head.style.color = colour(index);
      if (layout.wide) {
        head.style.left = `${layout.axis(index) - 6}px`;
        head.style.width = `${layout.gap - 12}px`;
      }
      node.append(head);
    });
  }

  // Draws what can be seen, and a little more.
  function draw() {
    const scroll = $("scroll"), picture = $("picture");
    const top = Math.max(0, scroll.scrollTop - 300);
    const bottom = scroll.scrollTop + (scroll.clientHeight || 600) + 300;
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
    what.append(row.times > 1 ? `${row.text} (${row.times} times)` : row.text);
    what.title = `${trace.threads[row.thread].name}: ${row.text} (${place(position(row))})`;
    placeText(what, row.thread);
    node.append(gutter, what);
    return node;
  }

  // Text stands right of its lane. What has more room on the left stands there,
  // if it needs it.
  function placeText(node, thread) {
    const right = layout.width - layout.textLeft(thread) - 6, left = layout.axis(thread) - GUTTER - 26;
    const wanted = node.textContent.length * 7.2;
    if (layout.wide && wanted > right && left > right) {
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

  // ------------------------------------------------------------- stepping

  function go(step) {
    const to = Math.max(0, Math.min(rows.length - 1, step));
    if (to === now) return;
    now = to;
    $("slider").value = to;
    $("position").textContent = `step ${to + 1} of ${rows.length}`;
    const scroll = $("scroll"), y = middle(to), height = scroll.clientHeight;
    if (y < scroll.scrollTop + 60) scroll.scrollTop = Math.max(0, y - height / 3);
    else if (y > scroll.scrollTop + height - 60) scroll.scrollTop = y - (height * 2) / 3;
    draw();
    showSource();
    showValues();
  }

  // Where each thread is: its last step so far, or null.
  function whereabouts() {
    const at = trace.threads.map(() => null);
    for (let step = 0; step <= now; step++) at[rows[step].thread] = step;
    return at;
  }

  let shown = -1;
  function showFile(file) {
    if (file === null || file === shown) return;
    shown = file;
    const code = $("code");
    code.replaceChildren();
    const labels = data.finding.labels.filter((label) => label.file === file);
    if (!fillSource(code, data.files[file], labels)) code.append(make("div", "gap", "the source of this file is not at hand"));
    [...$("tabs").children].forEach((tab, index) => tab.classList.toggle("now", index === file));
  }

  function showSource() {
    const row = rows[now];
    showFile(row.file);
    markThreads();
    const code = $("code");
    const line = row.file === shown && code.querySelector(`.line[data-line="${row.line}"]`);
    if (!line) return;
    line.classList.add("now");
    const y = line.offsetTop;
    if (y < code.scrollTop + 40 || y > code.scrollTop + code.clientHeight - 70) code.scrollTop = Math.max(0, y - code.clientHeight / 2.5);
  }

  function markThreads() {
    const code = $("code");
    for (const line of code.querySelectorAll(".line.now")) line.classList.remove("now");
    for (const mark of code.querySelectorAll(".at b")) mark.remove();
    whereabouts().forEach((step, thread) => {
      if (step === null || rows[step].file !== shown || hasEnded(step)) return;
      const line = code.querySelector(`.line[data-line="${rows[step].line}"] .at`);
      if (!line) return;
      const mark = make("b", "", trace.threads[thread].short);
      mark.style.background = colour(thread);
      mark.title = `${trace.threads[thread].name}: ${rows[step].text}`;
      line.append(mark);
    });
  }

  const hasEnded = (step) => rows[step].effect && rows[step].effect.does === "end";

  // --------------------------------------------------------------- values

  // What each place holds before anything happens: what the first access finds.
  const initial = [], accessors = [];
  rows.forEach(({ effect, thread }) => {
    if (!effect || effect.place === undefined) return;
    accessors[effect.place] = (accessors[effect.place] || new Set()).add(thread);
    if (initial[effect.place] !== undefined) return;
    if (effect.does === "read") initial[effect.place] = effect.value;
    if (effect.does === "write") initial[effect.place] = effect.old;
  });

  // What several threads access stands first.
  const order = initial.map((_, index) => index).filter((index) => initial[index] !== undefined);
  order.sort((a, b) => (accessors[b].size > 1) - (accessors[a].size > 1) || a - b);

  function showValues() {
    const values = [...initial], writers = [], locals = trace.threads.map(() => null);
    const changed = trace.threads.map(() => null);
    for (let step = 0; step <= now; step++) {
      const { effect, thread } = rows[step];
      if (effect && effect.does === "write") {
        values[effect.place] = effect.value;
        writers[effect.place] = thread;
      }
      if (rows[step].locals) {
        changed[thread] = step === now ? locals[thread] : null;
        locals[thread] = rows[step].locals;
      }
    }
    showShared(values, writers);
    showThreads(locals, changed);
  }

  function showShared(values, writers) {
    const effect = rows[now].effect || {};
    const table = make("table");
    const head = make("tr");
    head.append(make("th", "", "shared variable"), make("th", "", "value"), make("th", "", "written by"));
    table.append(head);
    order.forEach((index) => {
      const value = values[index];
      const row = make("tr");
      if (effect.place === index && effect.does === "write") row.className = "new";
      else if (effect.place === index && effect.does === "read") row.className = "seen";
      else if (writers[index] === undefined) row.className = "before";
      const by = make("td", "by who", writers[index] === undefined ? "" : trace.threads[writers[index]].short);
      if (writers[index] !== undefined) by.style.color = colour(writers[index]);
      const shownValue = effect.place === index && effect.does === "write" ? `${effect.old} → ${value}` : value;
      row.append(make("td", "", trace.places[index]), make("td", "", shownValue), by);
      table.append(row);
    });
    $("shared").replaceChildren(...(table.rows.length > 1 ? [table] : []));
  }

  function showThreads(locals, changed) {
    const nodes = whereabouts().map((step, thread) => {
      const node = make("div", "thread"), line = make("p");
      const who = make("span", "who", trace.threads[thread].name);
      who.style.color = colour(thread);
      line.append(who, make("span", "state", stateText(step, thread)));
      for (const hold of trace.holds) {
        if (hold.thread !== thread || hold.from > now || (hold.to !== null && hold.to <= now)) continue;
        const held = make("span", "held", `holds ${trace.places[hold.place]}`);
        held.style.background = lockColour(hold.place);
        line.append(held);
      }
      node.append(line);
      if (locals[thread] && step !== null && !hasEnded(step)) node.append(localsNode(locals[thread], changed[thread]));
      return node;
    });
    $("threads").replaceChildren(...nodes);
  }

  function stateText(step, thread) {
    if (step === null) return "has not started";
    if (hasEnded(step)) return "has ended";
    const row = rows[step];
    const at = row.line ? ` at ${place(position(row))}` : "";
    return step === now ? `${row.text}${at}` : `${thread === rows[now].thread ? "" : "is "}${at.trim()}`;
  }

  function localsNode(locals, before) {
    const node = make("div", "locals");
    const old = new Map(before ? before.values : []);
    locals.values.forEach(([name, value], index) => {
      const isNew = before && old.get(name) !== value;
      node.append(make("span", isNew ? "new" : "", `${name} = ${value}`));
    });
    return node;
  }

  // -------------------------------------------------------------- details

  function section(title, wide) {
    const node = make("section", wide ? "wide" : "");
    node.append(make("h2", "", title));
    $("details").append(node);
    return node;
  }

  function list(node, texts) {
    const all = make("ul");
    texts.forEach((text) => all.append(rich("li", "", text)));
    node.append(all);
  }

  function details() {
    const finding = data.finding;
    if (finding && (finding.help || finding.calls.length)) {
      const node = section("What this means");
      if (finding.help) node.append(rich("p", "", sentence(finding.help)));
      if (finding.calls.length) list(node, finding.calls);
    }
    if (data.replay) {
      const node = section("Run it again");
      node.append(make("pre", "", data.replay));
    }
    if (data.verdict === "safe") {
      const node = section("What this rests on");
      node.append(make("p", "", `${sentence(data.covered)}`));
      if (data.assumptions.length) {
        node.append(make("p", "", "It is assumed that"));
        list(node, data.assumptions);
      } else node.append(make("p", "", "Nothing is assumed besides."));
    }
    if (data.verdict === "unknown") {
      const node = section("Why it is not known", true);
      if (!data.cuts.length) node.append(rich("p", "", sentence(data.reason)));
      data.cuts.forEach((cut) => {
        node.append(rich("p", "", sentence(cut.message)), snippet(cut.label));
        if (cut.help) node.append(rich("p", "", sentence(cut.help)));
      });
    }
    if (data.verdict === "unknown" && data.covered) section("What was covered").append(make("p", "", sentence(data.covered)));
    data.warnings.forEach((warning) => {
      const node = section("Warning", true);
      node.append(rich("p", "", sentence(warning.message)));
      warning.labels.forEach((label) => node.append(snippet(label)));
      node.append(rich("p", "", sentence(warning.note)));
    });
    const checked = section("What was checked");
    list(checked, data.properties.map(([name, demand]) => `${name}: ${demand}`));
    const node = section("The search");
    const table = make("table");
    data.statistics.forEach(([name, value]) => {
      const row = make("tr");
      row.append(make("td", "", name), make("td", "", value));
      table.append(row);
    });
    node.append(table);
  }

  const sentence = (text) => (!text ? "" : text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : "."));

  // ---------------------------------------------------------------- start

  function labels() {
    data.finding.labels.forEach((label) => {
      const node = make("li", label.primary ? "primary" : ""), button = rich("button", "", label.text);
      button.append(make("code", "where", place({ ...label, file: label.file === null ? "" : data.files[label.file].path })));
      button.addEventListener("click", () => goTo(label));
      node.append(button);
      $("labels").append(node);
    });
  }

  // The step that belongs to a label: the last marked one at its line.
  function goTo(label) {
    for (let step = rows.length - 1; step >= 0; step--) {
      if (rows[step].role && rows[step].line === label.line && rows[step].file === label.file) return go(step);
    }
    showFile(label.file);
  }

  function switchAfter(step, direction) {
    for (let other = step + direction; other > 0 && other < rows.length; other += direction) {
      if (rows[other].switch) return other;
    }
    return direction > 0 ? rows.length - 1 : 0;
  }

  const keys = {
    ArrowLeft: () => now - 1, ArrowUp: () => now - 1, ArrowRight: () => now + 1, ArrowDown: () => now + 1,
    Home: () => 0, End: () => rows.length - 1, PageUp: () => now - 10, PageDown: () => now + 10,
    "[": () => switchAfter(now, -1), "]": () => switchAfter(now, 1),
  };

  function listen() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
      event.preventDefault();
      go(keys[event.key]());
    });
    $("first").addEventListener("click", () => go(0));
    $("back").addEventListener("click", () => go(now - 1));
    $("forth").addEventListener("click", () => go(now + 1));
    $("last").addEventListener("click", () => go(rows.length - 1));
    $("slider").addEventListener("input", () => go(Number($("slider").value)));
    $("picture").addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) go(Number(row.dataset.step));
    });
    let waiting = false;
    const later = (work) => () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; work(); });
    };
    $("scroll").addEventListener("scroll", later(draw));
    window.addEventListener("resize", later(() => { measure(); draw(); }));
  }

  function legend() {
    const locks = [...new Set(trace.holds.map((hold) => hold.place))].slice(0, 8);
    locks.forEach((lock) => {
      const name = make("span", "lock"), mark = make("i");
      mark.style.background = lockColour(lock);
      name.append(mark, trace.places[lock]);
      $("legend").append(name);
    });
    if (trace.flows.some((flow) => flow.kind === "value")) {
      $("legend").append(" · blue arrows: values that go to another thread");
    }
  }

  // The step that the address names, as people count: page.html#7.
  const asked = () => (parseInt(location.hash.slice(1), 10) || 0) - 1;

  function start() {
    $("execution").hidden = false;
    labels();
    data.files.forEach((file, index) => {
      const tab = make("button", "", short(file.path));
      tab.title = file.path;
      tab.addEventListener("click", () => { showFile(index); markThreads(); });
      $("tabs").append(tab);
    });
    $("slider").max = Math.max(0, rows.length - 1);
    legend();
    measure();
    listen();
    const fault = rows.findLastIndex((row) => row.role === "fault");
    go(asked() >= 0 ? asked() : fault >= 0 ? fault : rows.length - 1);
    window.addEventListener("hashchange", () => go(asked() >= 0 ? asked() : now));
  }

  if (trace && rows.length) start();
  else if (data.finding) labels();
  details();
})();
