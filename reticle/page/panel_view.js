/*
 * The panel's elements: in a closed shadow root on an element beside the body, fixed in a corner, so that the app's
 * layout, styles and selectors are untouched. Made without HTML text and inline styles, which policies may forbid.
 */

const PANEL_STYLE = `
  :host { all: initial; position: fixed; right: 12px; bottom: 12px; z-index: 2147483647; }
  section { box-sizing: border-box; width: 260px; padding: 10px; border: 2px solid #3b6fd4; border-radius: 8px;
    background: #fff; color: #16181d; font: 13px/1.4 system-ui, sans-serif; transition: border-color .2s; }
  section[data-reticle-state=paused] { border-color: #b26a00; }
  section[data-reticle-state=ended] { border-color: #8a8f98; }
  section[data-reticle-tone=ask], section[data-reticle-tone=waiting] { border-color: #7a4fd0; }
  section[data-reticle-tone=warn] { border-color: #c0362c; }
  h2 { margin: 0 0 6px; font-size: 13px; }
  ol { margin: 6px 0; padding: 0; max-height: 96px; overflow: auto; list-style: none; }
  li[data-level=warn] { color: #8a5200; } li[data-level=error] { color: #c0362c; } li[data-level=you] { color: #2853a8; }
  .row { display: flex; gap: 4px; margin-top: 6px; }
  button, input { font: inherit; color: inherit; border: 1px solid #8a8f98; border-radius: 4px; background: #fff; padding: 2px 8px; }
  input { flex: 1; min-width: 0; } button:disabled, input:disabled { opacity: .5; }
  button:focus-visible, input:focus-visible { outline: 2px solid #3b6fd4; outline-offset: 1px; }
  .frame { position: fixed; pointer-events: none; border: 2px solid #c0362c; }
  [hidden] { display: none !important; }
  @media (prefers-reduced-motion: reduce) { section { transition: none; } }
`;

/** Events that people cause inside the panel; they stay there. */
const KEPT_EVENTS = [
  "click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "keydown", "keypress", "keyup", "input",
  "beforeinput", "change", "focusin", "focusout", "submit", "contextmenu", "wheel", "touchstart", "touchend", "paste", "copy", "cut",
];

function make(tag, parent, properties = {}) {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  parent.append(element);
  return element;
}

class PanelView {
  /** @param {(kind: string, text?: string) => void} tell what a person did */
  constructor(tell) {
    this.tell = tell;
    this.host = document.createElement(PANEL_TAG);
    this.root = native.attachShadow.call(this.host, { mode: "closed" });
    this.dress();
    for (const type of KEPT_EVENTS) native.listen.call(this.root, type, (event) => event.stopPropagation());
    this.build();
  }

  /** The style sheet, made so that a policy against inline styles allows it where the browser can. */
  dress() {
    if ("adoptedStyleSheets" in this.root) {
      const sheet = new window.CSSStyleSheet();
      sheet.replaceSync(PANEL_STYLE);
      this.root.adoptedStyleSheets = [sheet];
    } else make("style", this.root, { textContent: PANEL_STYLE });
  }

  build() {
    const section = make("section", this.root);
    section.setAttribute("role", "complementary");
    section.setAttribute("aria-label", "Reticle");
    this.section = section;
    this.heading = make("h2", section);
    this.banner = make("p", section, { hidden: true });
    this.list = make("ol", section);
    this.list.setAttribute("aria-live", "polite");
    const row = make("div", section, { className: "row" });
    this.buttons = {
      pause: this.button(row, "Pause", () => this.tell("pause")),
      resume: this.button(row, "Resume", () => this.tell("resume")),
      end: this.button(row, "End", () => this.tell("end")),
      flag: this.button(row, "Flag", () => this.flag()),
    };
    this.field = this.textRow(section, "Message to the agent", "Send", (text) => this.tell("message", text));
    this.note = this.textRow(section, "What is wrong with it?", "Save", (text) => this.save(text));
    this.note.row.hidden = true;
    this.frame = make("div", this.root, { className: "frame", hidden: true });
  }

  button(row, label, press) {
    const button = make("button", row, { type: "button", textContent: label });
    native.listen.call(button, "click", () => attempt("panel", press));
    return button;
  }

  /** A text field with a button; Enter does the same. */
  textRow(section, label, action, send) {
    const row = make("div", section, { className: "row" });
    const input = make("input", row, { type: "text", placeholder: label, maxLength: LIMIT.NOTE_CHARS });
    input.setAttribute("aria-label", label);
    const submit = () => {
      const text = input.value.trim();
      if (text === "") return;
      input.value = "";
      send(text);
    };
    native.listen.call(input, "keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) attempt("panel", submit);
    });
    return { row, input, button: this.button(row, action, submit) };
  }

  attach() {
    if (!this.host.isConnected) document.documentElement.append(this.host);
  }

  isAttached() {
    return this.host.isConnected;
  }

  /** Show what the panel says. @param {Panel} panel */
  draw({ state, tone, banner, lines }) {
    const ended = state === "ended";
    this.section.setAttribute("data-reticle-state", state);
    this.section.setAttribute("data-reticle-tone", tone);
    this.heading.textContent = { active: "Agent at work", paused: "Agent paused", ended: "Session ended" }[state];
    this.banner.textContent = banner;
    this.banner.hidden = banner === "";
    this.list.replaceChildren();
    for (const { text, level } of lines) make("li", this.list, { textContent: text }).setAttribute("data-level", level);
    this.list.scrollTop = this.list.scrollHeight;
    this.buttons.pause.hidden = state === "paused";
    this.buttons.resume.hidden = state !== "paused";
    for (const control of [this.buttons.pause, this.buttons.end, this.field.input, this.field.button]) control.disabled = ended;
  }

  /** Let the person choose an element, then ask what is wrong with it. */
  flag() {
    this.buttons.flag.textContent = "Choose…";
    pickElement(this.frame, (element) => {
      this.buttons.flag.textContent = "Flag";
      this.picked = element;
      this.note.row.hidden = !element;
      if (element) this.note.input.focus();
    });
  }

  save(text) {
    this.note.row.hidden = true;
    if (this.picked) emit(EVENT.HUMAN_MARK, markOf(this.picked, text));
    this.picked = null;
  }
}
