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

// One line of source, with room for the threads that are at it.
function sourceLine(number, text) {
  const line = make("div", "line");
  const code = make("span", "text");
  code.append(paint(text));
  line.append(make("span", "at"), make("span", "no", number), code);
  line.dataset.line = number;
  return line;
}

// A remark below a line, its mark below the column, unless one before has marked
// it. The text before the column stands invisibly in front, so that tabs stay tabs.
function remark(label, text, marked) {
  const note = make("div", label.primary ? "note" : "note other");
  const before = label.column ? text.slice(0, label.column - 1) : /^\s*/.exec(text)[0];
  const word = label.column ? /^\w*/.exec(text.slice(label.column - 1))[0] : text.trim();
  const space = before.replace(/[^\t]/g, " ");
  const mark = space + "^".repeat(Math.max(1, word.length));
  // A long remark stands below its mark, where it can be seen without scrolling.
  const columns = ($("code").clientWidth || 900) / 7.9 - 15;
  const said = label.text.replaceAll("`", "");
  const fits = mark.length + said.length < columns;
  const below = `${space.slice(0, 8)}${said}`;
  note.textContent = marked ? (fits ? `${mark.replaceAll("^", " ")} ${said}` : below) : fits ? `${mark} ${said}` : `${mark}\n${below}`;
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
      const here = labels.filter((label) => label.line === number);
      here.forEach((label, index) => {
        line.classList.add("bad");
        node.append(remark(label, text, here.slice(0, index).some((other) => other.column === label.column)));
      });
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
