/*
 * A hand on the lab's browser: mouse and keyboard by its debugging port, so that the page gets trusted events.
 */
import { existsSync, readFileSync } from "node:fs";
import { WebSocket } from "ws";

/** What the browser must be started with. */
export const HANDS = ["--remote-debugging-port=0"];

export class Hands {
  /** @param {import("./lab.mjs").Lab} lab whose tab is used */
  static async of(lab) {
    const file = `${lab.profile}/DevToolsActivePort`;
    for (let round = 0; round < 200 && !existsSync(file); round += 1) await new Promise((resolve) => setTimeout(resolve, 25));
    const [port] = readFileSync(file, "utf-8").split("\n");
    const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
    const tab = targets.find((target) => target.type === "page");
    const hands = new Hands();
    hands.socket = new WebSocket(tab.webSocketDebuggerUrl);
    hands.waiting = new Map();
    hands.asked = 0;
    hands.heard = [];
    hands.socket.on("message", (text) => hands.hear(JSON.parse(text)));
    await new Promise((resolve) => hands.socket.once("open", resolve));
    return hands;
  }

  hear(message) {
    if (!message.id) this.heard.push(message);
    this.waiting.get(message.id)?.(message);
    this.waiting.delete(message.id);
  }

  async send(method, params = {}) {
    this.asked += 1;
    const id = this.asked;
    const answer = new Promise((resolve) => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  move({ x, y }, more = {}) {
    return this.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y, ...more });
  }

  async click({ x, y }, times = 1) {
    await this.move({ x, y });
    for (let clickCount = 1; clickCount <= times; clickCount += 1) {
      for (const type of ["mousePressed", "mouseReleased"]) {
        await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount });
      }
    }
  }

  async key(key, keyCode, modifiers = 0) {
    const text = key === "Enter" ? "\r" : [...key].length === 1 && !modifiers ? key : undefined;
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key, text, modifiers, windowsVirtualKeyCode: keyCode });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, modifiers, windowsVirtualKeyCode: keyCode });
  }

  write(text) {
    return this.send("Input.insertText", { text });
  }

  /** Press at one place and release at another. */
  async drag(from, to, steps = 8) {
    await this.move(from);
    await this.send("Input.dispatchMouseEvent", { type: "mousePressed", ...from, button: "left", clickCount: 1 });
    for (let step = 1; step <= steps; step += 1) {
      const share = step / steps;
      await this.move({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }, { button: "left", buttons: 1 });
    }
    await this.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...to, button: "left", clickCount: 1 });
  }

  close() {
    this.socket.terminate();
  }
}
