// Going from step to step, and the source that follows.

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
