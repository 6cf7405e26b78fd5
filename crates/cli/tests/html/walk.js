// Uses the page as a person would, and writes down what there is to see. Stands
// after everything else on the page under test.
(() => {
  const $ = (id) => document.getElementById(id);
  const text = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent);
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const look = () => ({
    position: $("position").textContent,
    now: text(".row.now .what"),
    line: text("#code .line.now .no"),
    marks: text("#code .at b"),
    shared: text("#shared tr:not(:first-child)"),
    threads: text("#threads .thread"),
    drawn: document.querySelectorAll(".row").length,
    visible: [...document.querySelectorAll(".row.now")].every((row) => {
      const [at, pane] = [row.getBoundingClientRect(), $("scroll").getBoundingClientRect()];
      return at.top >= pane.top - 1 && at.bottom <= pane.bottom + 1;
    }),
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
