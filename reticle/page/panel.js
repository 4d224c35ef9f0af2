/*
 * The panel: what a person sees of the agent at work, and how they steer it. It decides nothing: each button is an
 * event (`human.control`, `human.mark`), and the daemon keeps the authority. There only when it is asked for: by
 * `data-panel` on the script tag, or by the daemon (`presenter`, `narrate`).
 *
 * state: active · paused · ended. `ended` comes from the person, from the daemon, or from this panel itself when no
 * agent has done anything for a while; only the last kind ends with the agent's next command.
 */

const PANEL_STATES = ["active", "paused", "ended"];
const PANEL_TONES = ["calm", "waiting", "ask", "warn"];
const NARRATE_LEVELS = ["info", "warn", "error"];

class Panel {
  constructor() {
    this.state = "active";
    this.tone = "calm";
    this.banner = "";
    /** Newest last: {text, level}. */
    this.lines = [];
    this.idleEndMs = LIMIT.IDLE_END_MS;
    this.idled = false;
    this.timer = undefined;
    /** The elements (panel_view.js), once they were wanted. */
    this.view = null;
  }

  get exists() {
    return this.view !== null;
  }

  /** Put the panel into the page, or back when the app threw it out, and draw what it says. */
  show() {
    if (!this.view) {
      this.view = new PanelView((kind, text) => this.said(kind, text));
      this.active();
    }
    this.view.attach();
    this.draw();
  }

  draw() {
    if (this.view) this.view.draw(this);
  }

  /** A person pressed a button or wrote something. */
  said(kind, text) {
    if (this.state === "ended") return;
    emit(EVENT.HUMAN_CONTROL, text === undefined ? { kind } : { kind, text });
    if (kind === "pause") this.state = "paused";
    if (kind === "resume") this.state = "active";
    if (kind === "end") this.state = "ended";
    if (kind === "message") this.log(text, "you");
    this.draw();
  }

  log(text, level) {
    this.lines.push({ text: clip(fold(text), LIMIT.TEXT_CHARS), level });
    if (this.lines.length > LIMIT.PANEL_LINES) this.lines.shift();
  }

  /** The agent did something: a panel that went out for want of it lights up again. */
  active() {
    if (!this.view) return;
    if (this.idled) {
      this.idled = false;
      this.state = "active";
      this.draw();
    }
    native.clearTimeout(this.timer);
    this.timer = native.setTimeout(() => attempt("panel", () => this.idle()), this.idleEndMs);
  }

  idle() {
    if (this.state !== "active") return;
    this.state = "ended";
    this.idled = true;
    this.draw();
  }
}

const panel = new Panel();

/** A text argument, or a refusal. */
function panelText(args, key, required) {
  const value = args[key];
  if (value === undefined || value === null) {
    if (required) throw badArguments(`${key} must be text.`);
    return "";
  }
  if (typeof value !== "string" || (required && fold(value) === "")) throw badArguments(`${key} must be text.`);
  return value;
}

function oneOf(args, key, words, otherwise) {
  const value = args[key] ?? otherwise;
  if (!words.includes(value)) throw badArguments(`${key} is one of ${words.join(", ")}.`);
  return value;
}

/** The `narrate` command: one line in the panel. */
function runNarrate(args) {
  allowOnly(args, ["text", "level"], "narrate");
  const text = panelText(args, "text", true);
  panel.log(text, oneOf(args, "level", NARRATE_LEVELS, "info"));
  panel.show();
  return { shown: panel.view.isAttached() };
}

/** The `presenter` command: the state that the daemon has decided on. */
function runPresenter(args) {
  allowOnly(args, ["state", "text", "tone"], "presenter");
  const state = oneOf(args, "state", PANEL_STATES, undefined);
  const tone = oneOf(args, "tone", PANEL_TONES, "calm");
  panel.banner = clip(fold(panelText(args, "text", false)), LIMIT.TEXT_CHARS);
  panel.state = state;
  panel.tone = tone;
  panel.idled = false;
  panel.show();
  return { applied: panel.view.isAttached() };
}

/** The `session_config` command. */
function runSessionConfig(args) {
  allowOnly(args, ["idleEndMs"], "session_config");
  const wanted = args.idleEndMs;
  if (typeof wanted !== "number" || !(wanted >= 0)) throw badArguments("idleEndMs is a number of milliseconds.");
  panel.idleEndMs = Math.max(LIMIT.IDLE_END_MIN_MS, Math.min(Math.floor(wanted), 2147483647));
  panel.active();
  return { applied: true, idleEndMs: panel.idleEndMs };
}

/** Show the panel from the start when the script tag asks for it, or the daemon that opened the page. */
function startPanel(tag) {
  const asked = LAUNCH ? LAUNCH.panel : tag && tag.hasAttribute && tag.hasAttribute("data-panel");
  if (!asked) return;
  if (document.body) panel.show();
  else listen(document, "DOMContentLoaded", "panel", () => panel.show());
}
