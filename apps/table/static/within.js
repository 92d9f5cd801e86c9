// Runs the table inside the browser: Python as WebAssembly, in a thread beside the page.
let sitting = null;
let busy = Promise.resolve();
let kept = [];

const tell = (message) => postMessage(message);
const show = () => tell({ kind: "panels", data: JSON.parse(sitting.shown()) });
const said = (error) => String(error.message || error).trim().split("\n").pop();
const trouble = (error) => tell({ kind: "trouble", data: said(error) });
const rest = () => new Promise((go) => setTimeout(go, 0));

async function start({ lines }) {
  const root = new URL(".", self.location.href).href;
  const { loadPyodide } = await import(`${root}pyodide/pyodide.mjs`).catch(() => {
    throw new Error("This page needs the files of Pyodide in its folder 'pyodide'.");
  });
  const { kind, made, wheels } = await (await fetch(`${root}sleuth.json`)).json();
  const python = await loadPyodide({ indexURL: `${root}pyodide/` });
  await python.loadPackage(wheels);
  python.unpackArchive(await (await fetch(`${root}sleuth.zip`)).arrayBuffer(), "zip");
  const make = python.pyimport("sleuth.apps.table.static.within").BrowserSitting;
  sitting = make(kind, JSON.stringify(made), lines, (line) => kept.push(line));
  show();
  work().catch(trouble);
}

function say(line) {
  // Nothing is lost where it cannot start: the page keeps the line, and says it again.
  if (!sitting) return;
  kept = [];
  let heard;
  try {
    heard = JSON.parse(sitting.say(JSON.stringify(line)));
  } catch (error) {
    heard = { refused: said(error) };
  }
  // First it is kept, then it counts: the page puts both away together.
  tell({ kind: "heard", touch: line.touch, kept, heard });
  show();
  work().catch(trouble);
}

// One thing at a time, so that a touch waits for no more than one.
let working = false;
async function work() {
  if (working) return;
  working = true;
  try {
    for (await rest(); sitting.work(); await rest()) show();
  } finally {
    working = false;
  }
}

const doings = {
  start,
  say: ({ line }) => say(line),
  download: ({ name }) => tell({ kind: "file", data: JSON.parse(sitting.download(name)) }),
};

onmessage = ({ data }) => {
  busy = busy.then(() => doings[data.kind](data)).catch(trouble);
};
