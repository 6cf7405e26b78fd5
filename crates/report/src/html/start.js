// Keys, clicks, and the beginning.

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
    $("legend").append(make("span", "flows", "blue arrows: values that go to another thread"));
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
