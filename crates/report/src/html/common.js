// What all parts of the page use. The parts are one script: what one defines,
// those after it use. All that the page says is in the data; this decides how it
// looks. Steps are numbered from 0 here and from 1 for people.

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

const sentence = (text) => (!text ? "" : text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : "."));
// What is found, in one line. What was checked stands below, so that it need not be in the title.
const headline = () => (data.finding ? data.finding.message : data.verdict === "safe" ? "no execution goes wrong" : data.summary);

document.body.classList.add(data.verdict);
$("badge").textContent = data.verdict;
$("message").append(...rich("span", "", headline()).childNodes);
$("summary").textContent = data.trace ? data.trace.summary : data.verdict === "safe" ? sentence(data.summary) : "";
