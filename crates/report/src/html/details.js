// All that stands below the execution, or instead of one.

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
    const node = section(finding.help ? "What this means" : "How it got there");
    if (finding.help) node.append(rich("p", "", sentence(finding.help)));
    if (finding.calls.length) list(node, finding.calls);
  }
  if (data.replay) {
    const node = section("Run it again");
    node.append(make("pre", "", data.replay));
  }
  if (data.verdict === "safe") {
    const node = section("What this rests on", true);
    node.append(make("p", "", `${sentence(data.covered)}`));
    if (data.assumptions.length) {
      node.append(make("p", "", "It is assumed that"));
      list(node, data.assumptions);
    } else node.append(make("p", "", "Nothing is assumed besides."));
  }
  if (data.invariants.length) {
    const node = section("Invariants", true);
    node.append(make("p", "", "At the heads of loops this holds, whenever threads stand there:"));
    const table = make("table");
    data.invariants.forEach(({ at, text }) => {
      const row = make("tr");
      row.append(make("td", "", at), make("td", "", text));
      table.append(row);
    });
    node.append(table);
  }
  if (data.gaps.heading) {
    const node = section("What was executed", true);
    node.append(make("p", "", sentence(data.gaps.heading)));
    if (data.gaps.items.length) list(node, data.gaps.items);
  }
  data.further.forEach((further) => {
    const node = section("Another fault", true);
    node.append(rich("p", "", sentence(further.message)));
    node.append(...snippets(further.labels));
    if (further.replay) node.append(make("pre", "", further.replay));
  });
  if (data.rest) section("Besides").append(make("p", "", sentence(data.rest)));
  if (data.verdict === "unknown") {
    const node = section("Why it is not known", true);
    if (!data.cuts.length) node.append(rich("p", "", sentence(data.reason)));
    data.cuts.forEach((cut) => {
      node.append(rich("p", "", sentence(cut.message)), ...snippets([cut.label]));
      if (cut.help) node.append(rich("p", "", sentence(cut.help)));
    });
  }
  if (data.verdict === "unknown" && data.covered) section("What was covered").append(...data.covered.split("\n").map((each) => make("p", "", sentence(each))));
  if (data.verdict === "unknown" && data.hints.length) list(section("What to know, and what to try"), data.hints.map(sentence));
  data.warnings.forEach((warning) => {
    const node = section("Warning", true);
    node.append(rich("p", "", sentence(warning.message)));
    node.append(...snippets(warning.labels));
    node.append(rich("p", "", sentence(warning.note)));
  });
  const checked = section("What was checked");
  const properties = make("dl");
  data.properties.forEach(([name, demand]) => properties.append(make("dt", "", name), make("dd", "", demand)));
  checked.append(properties);
  const node = section("The search");
  const table = make("table");
  data.statistics.forEach(([name, value]) => {
    const row = make("tr");
    row.append(make("td", "", name), make("td", "", value));
    table.append(row);
  });
  node.append(table);
}
