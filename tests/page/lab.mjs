/*
 * A daemon as small as it can be, a web server and a real Chromium: the proof that the wire works.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { scriptText } from "./parts.mjs";

const MODULES = fileURLToPath(new URL("./node_modules/", import.meta.url));
const SERVED = {
  "/react.js": "react/umd/react.development.js",
  "/react-dom.js": "react-dom/umd/react-dom.development.js",
  "/chart.js": "chart.js/dist/chart.umd.js",
};

/** Where Chromium is, or undefined. */
export function findChromium() {
  const asked = process.env.RETICLE_CHROMIUM;
  return [asked, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
}

/** One socket of a page. */
class Link {
  constructor(socket, lab) {
    this.socket = socket;
    this.lab = lab;
    this.hello = null;
    this.messages = [];
    this.closedWith = undefined;
    socket.on("message", (text) => this.take(JSON.parse(text)));
    socket.on("close", (code) => {
      this.closedWith = code;
      lab.tell();
    });
  }

  take(message) {
    this.messages.push(message);
    if (message.kind === "hello") this.hello = message;
    this.lab.tell();
  }

  get events() {
    return this.messages.flatMap((message) => (message.kind === "events" ? message.events : []));
  }

  /** Events of a type, those with which `test` agrees. */
  ofType(type, test = () => true) {
    return this.events.filter((event) => event.type === type && test(event.data, event));
  }

  /** Wait for an event. */
  async event(type, test = () => true, ms = 5000) {
    return this.lab.until(() => this.ofType(type, test)[0], ms, `event ${type}`);
  }

  /** Ask one command; answers the whole result message. */
  async raw(name, args = {}) {
    this.lab.commands += 1;
    const id = `c${this.lab.commands}`;
    this.socket.send(JSON.stringify({ kind: "command", id, name, args }));
    return this.lab.until(() => this.messages.find((message) => message.kind === "command_result" && message.id === id), 5000, name);
  }

  /** Ask one command that must succeed. */
  async ask(name, args = {}) {
    const answer = await this.raw(name, args);
    if (!answer.ok) throw new Error(`${name}: ${answer.code}: ${answer.error}`);
    return answer.result;
  }

  /** Ask again until something matches. */
  async matched(query, state) {
    for (let round = 0; round < 100; round += 1) {
      const result = await this.ask("match", { query, ...(state ? { state } : {}) });
      if (result.matched) return result;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`no match for ${JSON.stringify(query)}`);
  }

  /** Act on a target. */
  async act(action, target, args) {
    return this.raw("act", { action, ...(typeof target === "string" ? { ref: target } : { target }), ...(args ? { args } : {}) });
  }
}

export class Lab {
  constructor() {
    this.links = [];
    this.pages = new Map();
    this.requests = [];
    this.commands = 0;
    this.console = [];
    this.unfinished = "";
    this.waiting = new Set();
  }

  /** Serve pages and the daemon's socket on one port, by default a free one. */
  async start(port = 0) {
    this.server = createServer((request, response) => this.serve(request, response));
    const sockets = new WebSocketServer({ server: this.server, path: "/reticle" });
    sockets.on("connection", (socket) => this.links.push(new Link(socket, this)));
    await new Promise((resolve) => this.server.listen(port, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  serve(request, response) {
    const { pathname } = new URL(request.url, this.origin);
    this.requests.push({ method: request.method, url: request.url, headers: request.headers });
    this.tell();
    const reply = (status, type, body) => response.writeHead(status, { "content-type": type }).end(body);
    if (pathname === "/sdk.js") reply(200, "text/javascript; charset=utf-8", scriptText());
    else if (SERVED[pathname]) reply(200, "text/javascript", readFileSync(MODULES + SERVED[pathname]));
    else if (this.pages.has(pathname)) {
      const page = this.pages.get(pathname);
      if (typeof page === "function") page(request, response);
      else reply(200, "text/html; charset=utf-8", page);
    } else reply(404, "text/plain", "not found");
  }

  /** A page whose head has the script. */
  page(path, body, head = "") {
    this.pages.set(path, `<!doctype html><html><head><script src="/sdk.js" data-project="lab"></script><title>Lab ${path}</title>${head}</head><body>${body}</body></html>`);
    return this.origin + path;
  }

  tell() {
    for (const check of [...this.waiting]) check();
  }

  /** Wait until `look` gives something. */
  until(look, ms = 5000, what = "something") {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(check);
        reject(new Error(`waited ${ms} ms for ${what}`));
      }, ms);
      const check = () => {
        const found = look();
        if (!found) return;
        clearTimeout(timer);
        this.waiting.delete(check);
        resolve(found);
      };
      this.waiting.add(check);
      check();
    });
  }

  /** Wait for the socket that comes after the ones there are, with its hello. */
  nextLink(known = this.links.length, ms = 10000) {
    return this.until(() => this.links.slice(known).find((link) => link.hello), ms, "a page");
  }

  /** Start Chromium on a page. */
  async open(url, flags = []) {
    this.profile = mkdtempSync(join(tmpdir(), "page-lab-"));
    const known = this.links.length;
    this.browser = spawn(
      findChromium(),
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--window-size=1000,700", `--user-data-dir=${this.profile}`,
        "--enable-logging=stderr", ...flags, url,
      ],
      // a process group of its own, so that its children can be ended with it
      { stdio: ["ignore", "ignore", "pipe"], detached: true },
    );
    // a run that ends by a fault of its own leaves no browser behind
    for (const end of ["exit", "uncaughtExceptionMonitor"]) {
      process.once(end, () => this.isRunning() && process.kill(-this.browser.pid, "SIGKILL"));
    }
    this.browser.stderr.setEncoding("utf-8").on("data", (text) => this.heard(text));
    return this.nextLink(known, 20000);
  }

  /** Keep what the browser itself shows on its console, as it does for a person. */
  heard(text) {
    const lines = (this.unfinished + text).split("\n");
    this.unfinished = lines.pop();
    for (const line of lines) {
      const [, said] = /:CONSOLE(?::\d+)?\] "(.*)", source: /.exec(line) || [];
      if (said !== undefined) this.console.push(said);
    }
    this.tell();
  }

  /** Go elsewhere in the tab of `link`; answers the new document's socket. */
  async go(link, url) {
    const known = this.links.length;
    await link.ask("navigate", { url });
    return this.nextLink(known);
  }

  isRunning() {
    return Boolean(this.browser) && this.browser.exitCode === null && this.browser.signalCode === null;
  }

  async stop() {
    if (this.isRunning()) {
      const gone = new Promise((resolve) => this.browser.once("exit", resolve));
      process.kill(-this.browser.pid, "SIGKILL");
      await gone;
    } else if (this.browser) {
      console.log(`# the browser had ended by itself: ${this.browser.signalCode || this.browser.exitCode}`);
    }
    for (const link of this.links) link.socket.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    if (this.profile) rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
