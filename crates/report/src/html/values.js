// The values of shared variables and locals at a step.

// A row may stand for several accesses.
const effectsOf = (row) => [row.effect, ...(row.also || [])].filter((effect) => effect && effect.place !== undefined);

// What each place holds before anything happens: what the first access finds.
const initial = [], accessors = [];
rows.forEach((row) => effectsOf(row).forEach((effect) => {
  const { thread } = row;
  accessors[effect.place] = (accessors[effect.place] || new Set()).add(thread);
  if (initial[effect.place] !== undefined) return;
  if (effect.does === "read") initial[effect.place] = effect.value;
  if (effect.does === "write") initial[effect.place] = effect.old;
}));

// What several threads access stands first.
const order = initial.map((_, index) => index).filter((index) => initial[index] !== undefined);
order.sort((a, b) => (accessors[b].size > 1) - (accessors[a].size > 1) || a - b);

function showValues() {
  const values = [...initial], writers = [], locals = trace.threads.map(() => null);
  const changed = trace.threads.map(() => null);
  for (let step = 0; step <= now; step++) {
    const { thread } = rows[step];
    for (const effect of effectsOf(rows[step])) {
      if (effect.does !== "write") continue;
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

// What the step does to shared variables; of a fault, the access that it is about.
function effectsNow() {
  let step = now;
  while (step > 0 && rows[step].role === "fault" && rows[step].thread === rows[step - 1].thread && !effectsOf(rows[step]).length) step--;
  return effectsOf(rows[step]);
}

function showShared(values, writers) {
  const effects = effectsNow();
  const table = make("table");
  const head = make("tr");
  head.append(make("th", "", "shared variable"), make("th", "", "value"), make("th", "", "written by"));
  table.append(head);
  order.forEach((index) => {
    const value = values[index];
    const row = make("tr");
    const written = effects.find((effect) => effect.place === index && effect.does === "write");
    if (written) row.className = "new";
    else if (effects.some((effect) => effect.place === index && effect.does === "read")) row.className = "seen";
    else if (writers[index] === undefined) row.className = "before";
    const by = make("td", "by who", writers[index] === undefined ? "" : trace.threads[writers[index]].short);
    if (writers[index] !== undefined) by.style.color = colour(writers[index]);
    const shownValue = written ? `${written.old} → ${value}` : value;
    row.append(make("td", "", trace.places[index]), make("td", "", shownValue), by);
    table.append(row);
  });
  $("shared").replaceChildren(...(table.rows.length > 1 ? [table] : []));
  bringIntoSight(table.querySelector(".new, .seen"));
}

// Scrolls the pane, where it has a height of its own, to the row that the step is about.
function bringIntoSight(row) {
  const pane = $("values");
  if (!row) return;
  const top = row.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  const isSeen = top >= 0 && top + row.offsetHeight <= pane.clientHeight;
  if (!isSeen) pane.scrollTop += top - pane.clientHeight / 3;
}

function showThreads(locals, changed) {
  const nodes = whereabouts().map((step, thread) => {
    const node = make("div", "thread"), line = make("p");
    const who = make("span", "who", trace.threads[thread].name);
    who.style.color = colour(thread);
    line.append(who, rich("span", "state", stateText(step, thread)));
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
  // What belongs to the fault is told of the other threads, too, such as what they wait for.
  const isTold = step === now || (row.role === "part" && rows[now].role);
  return isTold ? `${row.text}${at}` : `is ${at.trim()}`;
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
