// Source text: colours, remarks below lines, snippets.

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

// One line of source, with room for the threads that are at it. Where a mark below
// it would stand outside of the pane, the line is wrapped, and its marks are in it.
function sourceLine(number, text, labels) {
  const line = make("div", "line");
  const code = make("span", "text");
  const spans = labels.map((label) => span(label, text));
  if (spans.every(fitsPane)) {
    code.append(paint(text));
  } else {
    line.classList.add("wrapped");
    code.append(paintMarked(text, spans));
  }
  line.append(make("span", "at"), make("span", "no", number), code);
  line.dataset.line = number;
  return line;
}

// The line in colours, with the marked words in it.
function paintMarked(text, spans) {
  const out = document.createDocumentFragment();
  let end = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (from < end) continue;
    const mark = make("mark");
    mark.append(paint(text.slice(from, to)));
    out.append(paint(text.slice(end, from)), mark);
    end = to;
  }
  out.append(paint(text.slice(end)));
  return out;
}

// What a label marks in its line: the word at its column, or the whole line.
function span(label, text) {
  const from = label.column ? label.column - 1 : /^\s*/.exec(text)[0].length;
  const word = label.column ? /^\w*/.exec(text.slice(from))[0] : text.trim();
  return { from, to: from + Math.max(1, word.length) };
}

// How many characters of source a line has room for.
const columns = () => ($("code").clientWidth || Math.min(900, window.innerWidth - 40)) / 7.9 - 17;
const fitsPane = ({ to }) => to < columns();

// A remark below a line, its mark below the column, unless one before has marked
// it. The text before the column stands invisibly in front, so that tabs stay tabs.
function remark(label, text, marked) {
  const note = make("div", label.primary ? "note" : "note other");
  const { from, to } = span(label, text);
  const space = text.slice(0, from).replace(/[^\t]/g, " ");
  const mark = space + "^".repeat(to - from);
  const said = label.text.replaceAll("`", "");
  // A long remark stands below its mark, where it can be seen without scrolling.
  const fits = to + said.length < columns();
  const below = " ".repeat(Math.max(0, Math.min(from, Math.floor(columns()) - said.length))) + said;
  if (!fitsPane({ to })) note.textContent = `${/^\s{0,8}/.exec(text)[0]}${said}`;
  else if (fits) note.textContent = `${marked ? mark.replaceAll("^", " ") : mark} ${said}`;
  else note.textContent = marked ? below : `${mark}\n${below}`;
  return note;
}

// The lines that the data has of a file, with remarks.
function fillSource(node, file, labels, isShown = () => true) {
  let next = null;
  for (const chunk of file.chunks) {
    chunk.lines.forEach((text, index) => {
      const number = chunk.first + index;
      if (!isShown(number)) return;
      if (next !== null && number !== next) node.append(make("div", "gap", "⋯"));
      next = number + 1;
      const here = labels.filter((label) => label.line === number);
      const line = sourceLine(number, text, here);
      node.append(line);
      here.forEach((label, index) => {
        line.classList.add("bad");
        node.append(remark(label, text, here.slice(0, index).some((other) => other.column === label.column)));
      });
    });
  }
  return node.childElementCount > 0;
}

// The lines around labels, file by file.
function snippets(labels) {
  return [...new Set(labels.map((label) => label.file))].map((file) => {
    const node = make("div", "snippet"), here = labels.filter((label) => label.file === file);
    const isNear = (number) => here.some((label) => Math.abs(number - label.line) <= 2);
    if (data.files[file]) fillSource(node, data.files[file], here, isNear);
    return node;
  });
}
