"""A page without a server, handed out as files, with a stand-in for Python in the browser.

The stand-in has the names of Pyodide that the page calls. It runs the same Python code in this
process: what a browser's own Python would answer to each call is asked for here.
"""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sleuth.apps.table.static.within import BrowserSitting

RUNTIME = """
const call = (name, ...given) => {
  const request = new XMLHttpRequest();
  request.open("POST", new URL("python", self.location.href).href, false);
  request.send(JSON.stringify([name, ...given]));
  if (request.status !== 200) throw new Error(request.responseText);
  return JSON.parse(request.responseText);
};
export async function loadPyodide() {
  return {
    loadPackage: async () => {},
    unpackArchive: (content, kind) => {
      if (kind !== "zip" || !content.byteLength) throw Error(kind);
    },
    pyimport: () => ({
      BrowserSitting: (kind, made, lines, keep) => {
        call("begin", kind, made, lines);
        const forward = (name) => (...given) => {
          const { answer, kept } = call(name, ...given);
          kept.forEach(keep);
          return answer;
        };
        return Object.fromEntries(
          ["shown", "say", "work", "download"].map((name) => [name, forward(name)]));
      },
    }),
  };
}
"""


class Files(http.server.SimpleHTTPRequestHandler):
    """The files of a folder, and the stand-in's Python."""

    sitting: BrowserSitting
    kept: list[str]

    def do_POST(self) -> None:
        name, *given = json.loads(self.rfile.read(int(self.headers["content-length"])))
        cls = type(self)
        try:
            if name == "begin":
                cls.kept = []
                kind, made, lines = given
                cls.sitting = BrowserSitting(kind, made, lines, cls.kept.append)
                answer: Any = None
            else:
                answer = getattr(cls.sitting, name)(*given)
        except Exception as error:
            self.send_error(500, str(error))
            return
        kept = cls.kept[:]
        cls.kept.clear()
        content = json.dumps({"answer": answer, "kept": kept}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


@contextmanager
def handed_out(folder: Path) -> Iterator[str]:
    """The address of a folder's page."""
    (folder / "pyodide").mkdir(exist_ok=True)
    (folder / "pyodide" / "pyodide.mjs").write_text(RUNTIME, "utf-8")

    class These(Files):
        """Those of this folder."""

        def __init__(self, request: Any, client_address: Any, server: Any) -> None:
            super().__init__(request, client_address, server, directory=str(folder))

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), These)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()
