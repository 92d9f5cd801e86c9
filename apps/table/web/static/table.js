// The page of a seat: it says what is touched, and shows what it is sent. No line is lost where
// the network is: what was touched is kept in this browser until the server has said that it counts.
"use strict";
(() => {
  const address = document.body.dataset.address;
  const waiting = `waiting ${address}`;
  const lost = document.getElementById("lost");
  const refused = document.getElementById("refused");
  let sending = false;
  let connected = true;
  let nap = 0;
  let broken = 0;

  // -- what is said

  // What the browser does not keep, such as in a private window or where it is full, is kept as long
  // as the page is open.
  let unkept = null;
  const queue = () => {
    if (unkept) return unkept;
    try { return JSON.parse(localStorage.getItem(waiting)) || []; } catch { return []; }
  };
  const keep = (lines) => {
    unkept = null;
    try {
      if (lines.length) localStorage.setItem(waiting, JSON.stringify(lines));
      else localStorage.removeItem(waiting);
    } catch { unkept = lines; }
  };
  const number = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (each) =>
      each.toString(16).padStart(2, "0")).join("");

  function say(line, blanks = {}) {
    keep([...queue(), { line, blanks, touch: number() }]);
    tell("");
    send();
  }

  async function send() {
    if (sending) return;
    sending = true;
    try {
      for (let lines = queue(); lines.length; lines = queue()) {
        const answer = await post(lines[0]);
        if (answer === null) {
          nap = Math.min(nap ? 2 * nap : 250, 4000);
          setTimeout(send, nap);
          return;
        }
        nap = 0;
        keep(queue().filter((each) => each.touch !== lines[0].touch));
        if (answer.refused || answer.error) {
          tell(answer.refused || answer.error);
          fillAgain(lines[0]);
        }
        if (answer.go) location.href = answer.go;
      }
    } finally {
      sending = false;
      state();
    }
  }

  // What was written and refused is there to be corrected, not to be written again.
  function fillAgain({ line, blanks }) {
    const form = document.querySelector(`form[data-line="${CSS.escape(line)}"]`);
    if (!form) return;
    for (const each of form.querySelectorAll("input[type=text]"))
      if (!each.value && blanks[each.name]) each.value = blanks[each.name];
  }

  // A file is not kept for later: it is still where it was chosen.
  async function upload(input) {
    const file = input.files[0];
    tell("");
    document.body.classList.add("waiting");
    try {
      const answer = await fetch(`${address}/upload?name=${encodeURIComponent(file.name.slice(-60))}&touch=${number()}`, {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body: file,
        cache: "no-store",
      });
      const json = answer.headers.get("content-type").startsWith("application/json");
      const said = json ? await answer.json() : { error: await answer.text() };
      if (said.refused || said.error) tell(said.refused || said.error);
      if (said.go) location.href = said.go;
    } catch {
      tell(lost.textContent);
    } finally {
      input.value = "";
      state();
    }
  }

  // The answer of the server; null where it has to be asked again.
  async function post(line) {
    if (within) return within.say(line);
    try {
      const answer = await fetch(`${address}/say`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(line),
        cache: "no-store",
        signal: AbortSignal.timeout ? AbortSignal.timeout(15000) : undefined,
      });
      // What breaks the server again and again must not keep all that comes after it waiting.
      broken = answer.status === 500 ? broken + 1 : 0;
      if ([409, 429].includes(answer.status) || answer.status > 500 || broken % 3) return null;
      if (answer.headers.get("content-type").startsWith("application/json")) return await answer.json();
      const said = new DOMParser().parseFromString(await answer.text(), "text/html").body;
      return { error: (said.querySelector("section p") || said).textContent };
    } catch {
      return null;
    }
  }

  function tell(text) {
    refused.textContent = text;
    refused.hidden = !text;
    if (text) refused.scrollIntoView({ block: "nearest" });
  }

  // -- what is shown

  const places = Object.fromEntries(
    ["main", "side", "touch"].map((name) => [name, document.getElementById(`place-${name}`)]));

  function show({ panels, order }) {
    const focus = mark(document.activeElement);
    const folds = new Map();
    let turned = false;
    for (const each of document.querySelectorAll("main section[id] details"))
      folds.set(each.closest("section").id, each.open);
    for (const [name, html] of Object.entries(panels)) {
      const template = document.createElement("template");
      template.innerHTML = html;
      const made = template.content.firstElementChild;
      const before = document.getElementById(made.id);
      const fold = made.querySelector("details");
      if (fold && folds.has(made.id)) fold.open = folds.get(made.id);
      // A page is sent whole when it connects: what stands there already keeps its chosen file.
      if (before && before.outerHTML === made.outerHTML) continue;
      if (before) {
        keepRoom(before, made);
        keepFilled(before, made);
        before.replaceWith(made);
        // What has become another form is read from its beginning, where its place scrolls.
        if (made.dataset.place === "touch" && title(made) !== title(before)) turned = true;
      } else {
        places[made.dataset.place].append(made);
        toMiddle(made);
      }
    }
    const wanted = new Set(order.map((name) => `panel-${name}`));
    for (const each of document.querySelectorAll("main section[id]"))
      if (!wanted.has(each.id)) each.remove();
    putInOrder(order);
    restore(focus);
    if (turned) places.touch.scrollTop = 0;
    news(Object.keys(panels));
    follow();
  }

  // A screen reader says how what has changed begins, and not the whole page.
  const spoken = document.getElementById("news");
  let lastNews = "";
  function news(names) {
    const said = names.map((name) => document.querySelector(`#panel-${name}[data-live]`))
      .filter((each) => each && !each.hidden)
      .flatMap((each) => [...each.querySelectorAll("h2, p")].slice(0, 2))
      .map((each) => each.textContent).join(" ");
    // What stands there when the page is opened is read as a page is.
    if (said && lastNews && said !== lastNews) spoken.textContent = said;
    lastNews = said || lastNews;
  }

  // The address of the page follows what it shows, where a link to that stands on it.
  const here = () => document.querySelector("main a[rel=bookmark]");

  function follow() {
    const link = here();
    try {
      if (link && link.hash !== location.hash) history.replaceState(null, "", link.hash);
    } catch { /* Some browsers refuse to do it often. */ }
  }

  function lead() {
    if (location.hash.length > 1 && here() && here().hash !== location.hash) say(`at ${location.hash}`);
  }

  // Panels stand in the order in which they were sent; those that stand right already stay.
  function putInOrder(order) {
    const before = {};
    for (const name of order) {
      const panel = document.getElementById(`panel-${name}`);
      const place = panel && panel.dataset.place;
      if (!place || !places[place]) continue;
      const first = places[place].querySelector("section[id]");
      const here = before[place] ? before[place].nextElementSibling : first;
      if (here !== panel) places[place].insertBefore(panel, here);
      before[place] = panel;
    }
  }

  // What is worked out anew keeps the height that it had, so that nothing jumps below a finger, and
  // a picture that scrolls stays where it was, unless what can be touched is elsewhere.
  function keepRoom(before, made) {
    if (made.getAttribute("aria-busy") === "true" && before.offsetHeight)
      made.style.minHeight = `${before.offsetHeight}px`;
    const were = before.querySelectorAll(".scroll");
    made.querySelectorAll(".scroll").forEach((each, place) => {
      const left = were[place] ? were[place].scrollLeft : 0;
      requestAnimationFrame(() => {
        if (left) each.scrollLeft = left;
        if (unseen(each)) lookAt(each);
      });
    });
  }

  // A picture that is wider than its place shows first where most can be touched, and where nothing
  // can, where most lies open.
  function toMiddle(part) {
    for (const each of part.querySelectorAll(".scroll:has(> svg)")) lookAt(each);
  }

  // Whether a picture has things to touch, none of which is seen.
  function unseen(each) {
    const { left, right } = each.getBoundingClientRect();
    const touched = [...each.querySelectorAll("svg g.touch")].map((one) => one.getBoundingClientRect());
    return touched.length > 0 && touched.every((box) => box.right <= left || box.left >= right);
  }

  function lookAt(each) {
    const spare = each.scrollWidth - each.clientWidth;
    if (spare <= 0) return;
    const start = each.getBoundingClientRect().left - each.scrollLeft;
    const middles = (found) => [...each.querySelectorAll(found)]
      .map((one) => one.getBoundingClientRect())
      .map((box) => (box.left + box.right) / 2 - start);
    const touched = middles("g.touch");
    const open = middles(".piece:not(.down)");
    const all = touched.length ? touched : open;
    // Of places where as much can be touched, the one where more lies open is looked at.
    const within = (places, from) =>
      places.filter((place) => place >= from && place <= from + each.clientWidth);
    const worth = (from) => within(all, from).length + within(open, from).length / 1000;
    let best = spare / 2;
    for (const place of all) {
      const from = Math.min(Math.max(place - each.clientWidth / 2, 0), spare);
      if (worth(from) > worth(best)) best = from;
    }
    // What is seen there stands in the middle.
    const seen = within(all, best);
    each.scrollLeft = seen.length
      ? (Math.min(...seen) + Math.max(...seen) - each.clientWidth) / 2 : best;
  }

  function title(panel) {
    const heading = panel.querySelector("h2");
    return heading ? heading.textContent : "";
  }

  // What somebody is writing is not written over.
  function keepFilled(before, made) {
    for (const each of before.querySelectorAll("input, select")) {
      if (each.value === each.defaultValue && document.activeElement !== each) continue;
      if (each.type === "file" || (each.type === "range" && each.form.children.length === 2 && each !== sliding)) continue;
      const form = each.closest("form");
      const now = form && made.querySelector(
        `form[data-line="${CSS.escape(form.dataset.line)}"] [name="${CSS.escape(each.name)}"]`);
      if (!now) continue;
      now.value = each.value;
      const number = now.nextElementSibling;
      if (number && number.tagName === "OUTPUT") number.textContent = now.value;
    }
  }

  function mark(element) {
    if (!element || element === document.body) return null;
    const panel = element.closest("section[id]");
    if (!panel) return null;
    if (element.tagName === "SUMMARY") return { panel: panel.id, found: "summary" };
    if (element.type === "submit" && element.form) {
      const line = CSS.escape(element.form.dataset.line);
      return { panel: panel.id, found: `form[data-line="${line}"] [type=submit]` };
    }
    const kind = element.dataset.line !== undefined ? "data-line" : element.name ? "name" : "";
    if (!kind) return null;
    return { panel: panel.id, found: `[${kind}="${CSS.escape(element.getAttribute(kind))}"]` };
  }

  function restore(focus) {
    if (!focus || (document.activeElement && document.activeElement !== document.body)) return;
    const panel = document.getElementById(focus.panel);
    if (!panel) return;
    const found = panel.querySelector(focus.found);
    if (found) found.focus({ preventScroll: true });
    else {
      panel.tabIndex = -1;
      panel.focus({ preventScroll: true });
    }
  }

  function state() {
    lost.hidden = connected && (Boolean(within) || navigator.onLine) && !(nap && queue().length);
    document.body.classList.toggle("waiting", queue().length > 0);
  }

  // -- touches, forms, keys

  toMiddle(document);
  const sheet = document.getElementById("sheet");
  if (sheet) sheet.addEventListener("click", () => {
    const low = places.touch.classList.toggle("low");
    sheet.setAttribute("aria-expanded", String(!low));
  });

  document.addEventListener("click", (event) => {
    const touched = event.target.closest("[data-line]");
    if (!touched || touched.tagName === "FORM" || touched.getAttribute("disabled") !== null) return;
    event.preventDefault();
    touched.classList.add("touched");
    say(touched.dataset.line);
  });

  document.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    const file = form.querySelector("input[type=file]");
    if (file) {
      if (file.files.length) upload(file);
      return;
    }
    const blanks = Object.fromEntries(new FormData(form));
    for (const each of form.querySelectorAll("input[type=text]")) each.value = each.defaultValue = "";
    say(form.dataset.line, blanks);
  });

  document.addEventListener("input", (event) => {
    const number = event.target.nextElementSibling;
    if (number && number.tagName === "OUTPUT") number.textContent = event.target.value;
  });

  // A slider says its line when it is let go.
  let sliding = null;
  document.addEventListener("input", (event) => {
    if (event.target.type === "range") sliding = event.target;
  });
  document.addEventListener("change", (event) => {
    if (event.target.type !== "range") return;
    sliding = null;
    const form = event.target.form;
    if (form && form.querySelectorAll("input, select").length === 1) form.requestSubmit();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, select, textarea");
    if (typing) return;
    const drawn = event.target.closest("g[data-line]");
    if (drawn && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      say(drawn.dataset.line);
      return;
    }
    const name = event.key === " " ? "Space" : event.key;
    if (name === "Space" && event.target.closest("button, a, summary")) return;
    const found = document.querySelector(`main [aria-keyshortcuts="${CSS.escape(name)}"]:not([disabled])`);
    if (!found) return;
    event.preventDefault();
    found.click();
  });

  // -- without a server: a worker stands for it, and this browser keeps what was done

  const within = document.body.dataset.worker ? inside(document.body.dataset.worker) : null;

  function inside(script) {
    const name = `kept ${address}`;
    const lines = () => JSON.parse(localStorage.getItem(name) || "[]");
    const worker = new Worker(script, { type: "module" });
    const waits = new Map();
    document.body.setAttribute("aria-busy", "true");
    worker.onerror = (event) => tell(event.message || document.body.dataset.unable);
    worker.onmessage = ({ data: said }) => {
      if (said.kind === "panels") {
        document.body.removeAttribute("aria-busy");
        show(said.data);
      } else if (said.kind === "trouble") tell(said.data);
      else if (said.kind === "file") save(said.data);
      else {
        let heard = said.heard;
        try {
          if (said.kept.length) localStorage.setItem(name, JSON.stringify([...lines(), ...said.kept]));
        } catch {
          heard = { refused: document.body.dataset.full };
        }
        waits.get(said.touch)(heard);
        waits.delete(said.touch);
      }
    };
    worker.postMessage({ kind: "start", lines: lines() });
    // Another window has gone on with the same game.
    window.addEventListener("storage", (event) => { if (event.key === name) location.reload(); });
    document.addEventListener("click", (event) => {
      const link = event.target.closest('a[href*="/get/"]');
      if (!link) return;
      event.preventDefault();
      worker.postMessage({ kind: "download", name: decodeURIComponent(link.href.split("/get/")[1]) });
    });
    return {
      say: (line) => new Promise((go) => {
        waits.set(line.touch, go);
        worker.postMessage({ kind: "say", line });
      }),
    };
  }

  function save(file) {
    if (file.refused) { tell(file.refused); return; }
    const bytes = Uint8Array.from(atob(file.content), (each) => each.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: file.kind }));
    link.download = file.name;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  // -- the stream

  let stream = null;
  let heard = 0;

  function listen() {
    if (within) return;
    if (stream) stream.close();
    stream = new EventSource(`${address}/events`);
    heard = Date.now();
    stream.addEventListener("hello", () => { connected = true; heard = Date.now(); state(); send(); });
    stream.addEventListener("panels", (event) => {
      connected = true;
      heard = Date.now();
      show(JSON.parse(event.data));
      document.body.dataset.shown = String(Number(document.body.dataset.shown || 0) + 1);
      state();
    });
    stream.addEventListener("ping", () => { heard = Date.now(); });
    stream.addEventListener("trouble", (event) => tell(event.data));
    stream.onerror = () => {
      connected = false;
      state();
      // The browser connects again by itself, unless it was refused.
      if (stream.readyState === EventSource.CLOSED) setTimeout(again, 1000);
    };
  }

  // A table that was deleted says so, and is asked for no more.
  async function again() {
    const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
    if (answer && [403, 404].includes(answer.status)) location.reload();
    else listen();
  }

  // A phone that slept, or a network that went without a word.
  setInterval(() => { if (!within && Date.now() - heard > 25000) { connected = false; state(); listen(); } }, 5000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) { listen(); send(); } });
  window.addEventListener("online", () => { listen(); send(); });
  window.addEventListener("offline", () => { connected = Boolean(within); state(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) { listen(); send(); } });
  window.addEventListener("hashchange", lead);
  listen();
  lead();
  send();
})();
