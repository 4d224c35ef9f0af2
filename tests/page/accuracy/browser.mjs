/*
 * A Chromium that is asked over its debugging pipe: the one witness that our page script does not write itself.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "../lab.mjs";

const FLAGS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--window-size=1000,700", "--remote-debugging-pipe",
];

/** One browser. */
export class Browser {
  constructor() {
    this.calls = 0;
    this.waiting = new Map();
    this.tabs = new Map();
    this.unread = "";
  }

  async start() {
    this.profile = mkdtempSync(join(tmpdir(), "accuracy-"));
    this.process = spawn(findChromium(), [...FLAGS, `--user-data-dir=${this.profile}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      detached: true, // a process group of its own, so that its children can be ended with it
    });
    this.process.stdio[4].setEncoding("utf-8").on("data", (text) => this.heard(text));
    this.process.on("exit", () => this.ended());
    await this.ask("Browser.getVersion");
    return this;
  }

  /** A new tab, which believes that it has the focus. */
  async tab() {
    const { targetId } = await this.ask("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.ask("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, sessionId);
    this.tabs.set(sessionId, tab);
    for (const domain of ["Page", "DOM", "Runtime", "Accessibility"]) await tab.ask(`${domain}.enable`);
    await tab.ask("Emulation.setFocusEmulationEnabled", { enabled: true });
    return tab;
  }

  heard(text) {
    const messages = (this.unread + text).split("\0");
    this.unread = messages.pop();
    for (const message of messages.map((each) => JSON.parse(each))) {
      const call = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (call && message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
      else if (call) call.resolve(message.result);
      else this.tabs.get(message.sessionId)?.heard(message);
    }
  }

  ended() {
    for (const call of this.waiting.values()) call.reject(new Error(`the browser ended before it answered ${call.method}`));
    this.waiting.clear();
  }

  /** Ask one command of the protocol. */
  ask(method, params = {}, sessionId = undefined) {
    this.calls += 1;
    const id = this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { method, resolve, reject });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  async stop() {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const gone = new Promise((resolve) => this.process.once("exit", resolve));
      process.kill(-this.process.pid, "SIGKILL");
      await gone;
    }
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** One tab of it. */
class Tab {
  constructor(browser, sessionId) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.listeners = new Set();
  }

  ask(method, params) {
    return this.browser.ask(method, params, this.sessionId);
  }

  heard(message) {
    for (const listener of [...this.listeners]) listener(message);
  }

  /** The next event of a name. */
  next(name) {
    return new Promise((resolve) => {
      const listener = (message) => {
        if (message.method !== name) return;
        this.listeners.delete(listener);
        resolve(message.params);
      };
      this.listeners.add(listener);
    });
  }

  /** Load a page; comes back when its load event and two frames are over. */
  async load(url) {
    const loaded = this.next("Page.loadEventFired");
    await this.ask("Page.navigate", { url });
    await loaded;
    await this.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
  }

  /** The value of an expression, as JSON or as a handle. */
  async run(expression, byValue = true) {
    const answer = await this.ask("Runtime.evaluate", { expression, returnByValue: byValue, awaitPromise: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return byValue ? answer.result.value : answer.result.objectId;
  }

  /** The ids by which the accessibility tree calls the elements of an array in the page. */
  async idsOf(expression) {
    const objectId = await this.run(expression, false);
    const { result } = await this.ask("Runtime.getProperties", { objectId, ownProperties: true });
    const elements = result.filter((property) => /^\d+$/.test(property.name));
    const nodes = await Promise.all(elements.map(({ value }) => this.ask("DOM.describeNode", { objectId: value.objectId })));
    return nodes.map(({ node }) => node.backendNodeId);
  }

  /** Where a node of the page is: `shown` in the document or in an open shadow root, else in a root that no script can enter. */
  async placeOf(backendNodeId) {
    const { object } = await this.ask("DOM.resolveNode", { backendNodeId });
    const functionDeclaration = `function () {
      // a pseudo-element is a node to the protocol; to scripts it was one with a "::" in its name, and is an object of its own now
      const pseudo = !(this instanceof Node) || this.nodeName.startsWith("::");
      if (pseudo) return { shown: true, element: false, tag: "::" };
      const root = this.getRootNode();
      const closed = root.host && root.host.shadowRoot !== root;
      return { shown: !closed, element: this.nodeType === 1, tag: this.localName || this.nodeName };
    }`;
    const { result } = await this.ask("Runtime.callFunctionOn", { objectId: object.objectId, functionDeclaration, returnByValue: true });
    return result.value;
  }

  /** Every node of the accessibility trees of the page and of the frames in it. */
  async accessibleNodes() {
    const { frameTree } = await this.ask("Page.getFrameTree");
    const frames = [];
    const collect = (tree) => {
      frames.push(tree.frame.id);
      (tree.childFrames ?? []).forEach(collect);
    };
    collect(frameTree);
    const trees = await Promise.all(frames.map((frameId) => this.ask("Accessibility.getFullAXTree", { frameId })));
    return trees.flatMap((tree) => tree.nodes);
  }
}
