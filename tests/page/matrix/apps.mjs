/*
 * The apps of the matrix: what each is served as. The code is built by `make frameworks` into dist/matrix.
 */
import { readFileSync } from "node:fs";

const SOURCE = new URL("../frameworks/matrix/", import.meta.url);
const BUILT = new URL("../frameworks/dist/matrix/", import.meta.url);

export const STYLE = `<style>
  main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px; align-items: start }
  [contenteditable], .ProseMirror { min-height: 24px; border: 1px solid #999; white-space: pre-wrap }
  .board { display: flex; gap: 8px } .board > div { width: 120px; height: 50px; border: 1px solid #999 }
  .pan { display: flex; justify-content: space-between }
  .under { position: relative } .lid { position: absolute; inset: 0; background: #eee }
  .gift { position: relative } .unseen { position: absolute; opacity: 0; pointer-events: none }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; grid-column: 1 / -1 }
  .terms { height: 40px; overflow: auto; border: 1px solid #999 } .terms p { height: 400px }
</style>`;

const SIDES = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="60" height="40" fill="red"/><circle cx="95" cy="20" r="18"/></svg>';

const source = (name) => readFileSync(new URL(name, SOURCE), "utf-8");
const root = "<div id=root></div>";
const after = (name) => `<script src="/${name}.js"></script>`;

/** Name of each column, and what stands in its page. */
export const APPS = {
  plain: () => source("plain.html") + after("plain"),
  "React 18": () => root + after("react18"),
  "React 19": () => root + after("react19"),
  "Vue 3": () => root + after("vue"),
  "Svelte 5": () => root + after("svelte"),
  htmx: () => after("htmx") + source("htmx.html"),
  Alpine: () => source("alpine.html") + after("alpine"),
};

/** The page of rich text editors; they do not differ by framework. */
export const EDITORS = () => source("editors.html") + after("editors");

/** Let the lab serve what the apps load, and what htmx's asks its server. */
export function serveApps(lab) {
  const file = (type, text) => (_, response) => response.writeHead(200, { "content-type": type }).end(text());
  for (const name of ["react18", "react19", "vue", "svelte", "htmx", "alpine", "editors"]) {
    lab.pages.set(`/${name}.js`, file("text/javascript; charset=utf-8", () => readFileSync(new URL(`${name}.js`, BUILT))));
  }
  lab.pages.set("/plain.js", file("text/javascript; charset=utf-8", () => source("plain.js")));
  lab.pages.set("/sides.svg", file("image/svg+xml", () => SIDES));
  serveHypermedia(lab);
}

/** The app behind htmx keeps its state on the server, and draws it. */
function serveHypermedia(lab) {
  const state = { values: {}, n: {} };
  const tell = (key, value) => {
    state.values[key] = value;
    state.n[key] = (state.n[key] || 0) + 1;
    return JSON.stringify(state).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  };
  const answer = (path, reply) =>
    lab.pages.set(path, async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const sent = new URLSearchParams(body);
      for (const [name, value] of new URL(request.url, lab.origin).searchParams) sent.append(name, value);
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(reply(sent));
    });
  const told = [...source("htmx.html").matchAll(/"\/tell\/(\w+)/g)].map((found) => found[1]);
  for (const key of new Set(told)) {
    answer(`/tell/${key}`, (sent) => tell(key, sent.getAll("value").join() || (/^(agree|gift)$/.test(key) ? "off" : "")));
  }
  answer("/toggle/dark", () => {
    const on = state.values.dark !== true;
    const shown = tell("dark", on);
    return `<button role="switch" aria-checked="${on}" hx-post="/toggle/dark" hx-target="this" hx-swap="outerHTML">Dark mode</button><pre data-testid="state" id="state" hx-swap-oob="true">${shown}</pre>`;
  });
  answer("/login", (sent) => tell("login", `${sent.get("user")}/${sent.get("word")}`));
  answer("/away", () => "");
}
