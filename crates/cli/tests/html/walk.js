// Uses the page as a person would, and writes down what there is to see. Stands
// after everything else on the page under test.
(() => {
  const $ = (id) => document.getElementById(id);
  const text = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent);
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const isWithin = (node, pane) => {
    const [at, around] = [node.getBoundingClientRect(), pane.getBoundingClientRect()];
    return at.top >= around.top - 1 && at.bottom <= around.bottom + 1 && at.left >= around.left - 1 && at.right <= around.right + 1;
  };
  const look = () => ({
    position: $("position").textContent,
    now: text(".row.now .what"),
    line: text("#code .line.now .no"),
    marks: text("#code .at b"),
    shared: text("#shared tr:not(:first-child)"),
    threads: text("#threads .thread"),
    drawn: document.querySelectorAll(".row").length,
    visible: [...document.querySelectorAll(".row.now")].every((row) => isWithin(row, $("scroll"))),
    marked: [...document.querySelectorAll("#code mark")].filter((mark) => isWithin(mark, $("code"))).map((mark) => mark.textContent),
    accessed: [...document.querySelectorAll("#shared .new, #shared .seen")].filter((row) => isWithin(row, $("values"))).map((row) => row.textContent),
    beyond: $("scroll").scrollHeight - Math.max($("scroll").clientHeight, $("picture").offsetHeight),
  });
  const seen = {
    verdict: $("badge").textContent,
    message: $("message").textContent,
    labels: text("#labels button"),
    remarks: text("#code .note"),
    heads: text("#lanes span"),
    details: text("#details h2"),
    snippets: text("#details .note"),
    wide: document.documentElement.scrollWidth > window.innerWidth,
    background: getComputedStyle(document.documentElement).backgroundColor,
  };
  if (!$("execution").hidden) {
    seen.start = look();
    press("Home");
    seen.home = look();
    press("ArrowRight");
    seen.forth = look();
    press("ArrowLeft");
    seen.back = look();
    press("]");
    seen.switched = look();
    document.querySelectorAll(".row")[2]?.click();
    seen.clicked = look();
    const started = performance.now();
    for (let i = 0; i < 20; i++) press("PageDown");
    seen.milliseconds = performance.now() - started;
    press("End");
    seen.end = look();
    seen.bars = document.querySelectorAll("#picture rect").length;
    seen.arrows = document.querySelectorAll("#picture path").length;
  }
  seen.problems = window.problems;
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
})();
