/*
 * The cells of the acting matrix: what is done to which kind of element, and what exactly the app must have been told.
 *
 * A step is [action, element, args, expected]: `element` is a label, "role:name" or "@testid"; `expected` may hold a
 * refusal's `code`, words of its error (`says`) or of a report's warning (`warns`), and fields of the `effect`. What is not
 * expected must not come: no refusal, no warning. `tells` lists for each key of the app's state the value that it must
 * then have and how often it was told; everything else must be as before. `but` holds what is otherwise right for one
 * framework, `not` the frameworks whose app has no such control.
 */

const LOCAL = ["htmx"];
/** Apps that are told of each input event, whether it changed the value or not. */
const EACH_INPUT = ["plain", "Svelte 5"];

/** A field of text, filled, typed into and cleared. */
function text(kind, on, key, { filled, typed, all, but = {} }) {
  const once = { tells: { [key]: [all, 1] } };
  return [
    { action: "fill", kind, steps: [["fill", on, { value: filled }]], tells: { [key]: [filled, 1] }, but: but.fill },
    // a person who writes the same again is heard by `input`, not by `change`
    { action: "fill again", kind, steps: [["fill", on, { value: filled }, { effect: { alreadyAtValue: true, valueChanged: false } }]], tells: {}, but: Object.fromEntries(EACH_INPUT.map((app) => [app, { tells: { [key]: [but.fill?.[app]?.tells[key][0] ?? filled, 1] } }])) },
    { action: "type", kind, steps: [["type", on, { text: typed }]], tells: { [key]: [all, typed.length] }, but: { htmx: once, ...but.type } },
    { action: "clear", kind, steps: [["clear", on]], tells: { [key]: ["", 1] }, but: but.clear },
  ];
}

/** A field that takes its value as a whole. */
function picker(kind, on, key, value, wrong, but) {
  return [
    { action: "fill", kind, steps: [["fill", on, { value }]], tells: { [key]: [value, 1] }, but },
    { action: "fill, not a value", kind, steps: [["fill", on, { value: wrong }, { code: "bad_arguments", says: /does not take/ }]], tells: {} },
  ];
}

const refused = (action, kind, on, args, code, says, not) => ({ action, kind, steps: [[action, on, args, { code, says }]], tells: {}, not });

export const CELLS = [
  { action: "click", kind: "button", steps: [["click", "button:Add"]], tells: { add: [true, 1] }, but: { htmx: { tells: { add: ["", 1] } } } },
  { action: "dblclick", kind: "button", steps: [["dblclick", "button:Open"]], tells: { open: [true, 1] }, but: { htmx: { tells: { open: ["", 1] } } } },
  { action: "click", kind: "link of the app's router", steps: [["click", "link:Second view"]], tells: { view: ["second", 1] } },
  ...["click", "press Enter", "press Space"].map((action) => ({
    action,
    kind: "div as button",
    steps: [action === "click" ? ["click", "button:Star"] : ["press", "button:Star", { key: action.slice(6) }]],
    tells: { star: [true, 1] },
    but: { htmx: { tells: { star: ["", 1] } } },
  })),
  { action: "hover and leave", kind: "menu", steps: [["hover", "button:Menu"], ["hover", "button:Add"]], tells: { menu: [false, 2] }, but: { htmx: { tells: { menu: ["", 1] } } } },
  { action: "click", kind: "area, rect", steps: [["click", "link:North"]], tells: { side: ["north", 1] } },
  { action: "click", kind: "area, circle", steps: [["click", "link:South"]], tells: { side: ["south", 1] } },

  ...text("text", "Name", "name", { filled: "Ada", typed: " L", all: "Ada L" }),
  ...text("textarea", "Notes", "notes", { filled: "a\nb", typed: "\nc", all: "a\nb\nc" }),
  ...text("email", "Email", "email", { filled: "a@b.c", typed: "de", all: "a@b.cde" }),
  ...text("password", "Secret", "secret", { filled: "hunter2", typed: "!?", all: "hunter2!?" }),
  ...text("number", "Amount", "amount", {
    filled: "12",
    typed: ".5",
    all: "12.5",
    but: {
      fill: { "Vue 3": { tells: { amount: [12, 1] } }, "Svelte 5": { tells: { amount: [12, 1] } } },
      // half a number is no news for those who compare
      type: { "React 18": { tells: { amount: ["12.5", 1] } }, "React 19": { tells: { amount: ["12.5", 1] } }, "Vue 3": { tells: { amount: [12.5, 1] } }, "Svelte 5": { tells: { amount: [12.5, 2] } }, Alpine: { tells: { amount: ["12.5", 1] } } },
      clear: { "Svelte 5": { tells: { amount: [null, 1] } } },
    },
  }),
  { action: "type", kind: "masked", steps: [["type", "Phone", { text: "5551234" }, { warns: /"555-1234" instead of "5551234"/ }]], tells: { phone: ["555-1234", 7] }, not: LOCAL },
  { action: "fill", kind: "masked", steps: [["fill", "Phone", { value: "9876543" }, { warns: /"987-6543" instead of "9876543"/ }]], tells: { phone: ["987-6543", 1] }, not: LOCAL },
  { action: "fill", kind: "reformatting", steps: [["fill", "Code", { value: "abc" }, { warns: /"ABC" instead of "abc"/ }]], tells: { code: ["ABC", 1] }, not: LOCAL },
  { action: "type", kind: "reformatting", steps: [["type", "Code", { text: "d" }, { warns: /"ABCD" instead of "ABCd"/ }]], tells: { code: ["ABCD", 1] }, not: LOCAL },
  { action: "fill", kind: "controlled, taken", steps: [["fill", "Digits", { value: "12" }]], tells: { digits: ["12", 1] }, not: LOCAL },
  { action: "fill", kind: "controlled, refused", steps: [["fill", "Digits", { value: "1a" }, { warns: /"12" instead of "1a"/, effect: { value: "12" } }]], tells: {}, not: LOCAL },
  { action: "type", kind: "maxlength", steps: [["type", "Short", { text: "abcdefgh" }, { warns: /"abcde" instead of "abcdefgh"/ }]], tells: { short: ["abcde", 5] }, but: { htmx: { tells: { short: ["abcde", 1] } } } },
  { action: "fill", kind: "maxlength", steps: [["fill", "Short", { value: "vwxyz12" }, { warns: /"vwxyz" instead of "vwxyz12"/ }]], tells: { short: ["vwxyz", 1] } },
  { action: "fill and blur", kind: "saved when left", steps: [["fill", "Title", { value: "T" }], ["blur", "Title"]], tells: { title: ["T", 1] } },
  { action: "type and blur", kind: "saved when left", steps: [["type", "Title", { text: "op" }], ["blur", "Title"]], tells: { title: ["Top", 1] } },
  { action: "fill", kind: "debounced", steps: [["fill", "Search", { value: "abc" }]], tells: { search: ["abc", 1] } },
  { action: "type", kind: "debounced", steps: [["type", "Search", { text: "de" }]], tells: { search: ["abcde", 1] } },
  { action: "type, click option", kind: "autocomplete", steps: [["type", "City", { text: "Ber" }], ["click", "option:Bergen"]], tells: { city: ["Bergen", 1] }, not: LOCAL },
  { action: "fill, press arrows, Enter", kind: "autocomplete", steps: [["fill", "City", { value: "Be" }], ["press", "City", { key: "ArrowDown" }], ["press", "City", { key: "ArrowDown" }], ["press", "City", { key: "Enter" }]], tells: { city: ["Bern", 1] }, not: LOCAL },

  { action: "select by value", kind: "select", steps: [["select", "Size", { value: "m" }]], tells: { size: ["m", 1] } },
  { action: "select by label", kind: "select", steps: [["select", "Size", { value: "Large" }]], tells: { size: ["l", 1] } },
  { action: "select again", kind: "select", steps: [["select", "Size", { value: "l" }, { effect: { alreadyAtValue: true, dispatched: false } }]], tells: {} },
  { action: "press ArrowUp", kind: "select", steps: [["press", "Size", { key: "ArrowUp" }, { effect: { defaultAction: "select" } }]], tells: { size: ["m", 1] } },
  refused("select", "select", "Size", { value: "Huge" }, "no_such_option", /no option "Huge"/),
  { action: "select by label", kind: "optgroup", steps: [["select", "Region", { value: "Rome" }]], tells: { region: ["it-rm", 1] } },
  { action: "select by value", kind: "optgroup", steps: [["select", "Region", { value: "de-be" }]], tells: { region: ["de-be", 1] } },
  { action: "select one", kind: "multiple", steps: [["select", "Tags", { value: "b" }]], tells: { tags: ["b", 1] } },
  { action: "select several", kind: "multiple", steps: [["select", "Tags", { value: ["a", "Gamma"] }]], tells: { tags: ["a,c", 1] } },
  { action: "select several", kind: "select", steps: [["select", "Size", { value: ["s", "m"] }, { code: "bad_arguments", says: /takes one/ }]], tells: {} },
  { action: "select", kind: "controlled, refused", steps: [["select", "Plan", { value: "pro" }, { warns: /still shows "Free"/ }]], tells: { plan: ["refused", 1] }, not: LOCAL },

  { action: "check", kind: "checkbox", steps: [["check", "Agree"]], tells: { agree: [true, 1] }, but: { htmx: { tells: { agree: ["on", 1] } } } },
  { action: "check again", kind: "checkbox", steps: [["check", "Agree", {}, { effect: { alreadyAtValue: true, dispatched: false } }]], tells: {} },
  { action: "uncheck", kind: "checkbox", steps: [["uncheck", "Agree"]], tells: { agree: [false, 1] }, but: { htmx: { tells: { agree: ["off", 1] } } } },
  { action: "press Space", kind: "checkbox", steps: [["press", "Agree", { key: "Space" }]], tells: { agree: [true, 1] }, but: { htmx: { tells: { agree: ["on", 1] } } } },
  { action: "check", kind: "controlled, refused", steps: [["check", "Locked", {}, { warns: /still off/ }]], tells: { locked: ["refused", 1] }, not: LOCAL },
  { action: "check", kind: "checkbox behind its label", steps: [["check", "Gift"]], tells: { gift: [true, 1] }, but: { htmx: { tells: { gift: ["on", 1] } } } },
  { action: "check", kind: "radio", steps: [["check", "Card payer"]], tells: { pay: ["card", 1] } },
  { action: "press ArrowDown", kind: "radio", steps: [["press", "Card payer", { key: "ArrowDown" }, { effect: { defaultAction: "select" } }]], tells: { pay: ["invoice", 1] } },
  refused("uncheck", "radio", "Invoice", {}, "wrong_target", /Cannot uncheck radio/),
  { action: "check", kind: "switch", steps: [["check", "switch:Dark mode"]], tells: { dark: [true, 1] } },
  { action: "uncheck", kind: "switch", steps: [["uncheck", "switch:Dark mode"]], tells: { dark: [false, 1] } },
  { action: "check", kind: "div as checkbox", steps: [["check", "checkbox:Mail me"]], tells: { mail: [true, 1] }, not: LOCAL },
  { action: "press arrows", kind: "listbox", steps: [["press", "listbox:Colours", { key: "ArrowDown" }], ["press", "listbox:Colours", { key: "ArrowDown" }]], tells: { colour: ["Green", 2] }, not: LOCAL },
  { action: "press End", kind: "listbox", steps: [["press", "listbox:Colours", { key: "End" }]], tells: { colour: ["Blue", 1] }, not: LOCAL },
  { action: "click option", kind: "listbox", steps: [["click", "option:Red"]], tells: { colour: ["Red", 1] }, not: LOCAL },

  ...picker("date", "Day", "day", "2026-01-31", "31.1.2026"),
  ...picker("time", "Hour", "hour", "09:30", "half past"),
  ...picker("datetime-local", "Meeting", "meeting", "2026-01-31T09:30", "2026-01-31"),
  ...picker("month", "Month", "month", "2026-01", "January"),
  ...picker("week", "Week", "week", "2026-W05", "5"),
  ...picker("range", "Volume", "volume", "40", "400", { "Svelte 5": { tells: { volume: [40, 1] } } }),
  { action: "press ArrowUp", kind: "range", steps: [["press", "Volume", { key: "ArrowUp" }, { effect: { defaultAction: "step", value: "41" } }]], tells: { volume: ["41", 1] }, but: { "Svelte 5": { tells: { volume: [41, 1] } } } },
  ...picker("colour", "Paint", "paint", "#ff8800", "orangey"),
  { action: "upload", kind: "file", steps: [["upload", "Photo", { name: "a.txt", content: "hello" }]], tells: { photo: ["a.txt:5", 1] }, not: LOCAL },
  refused("upload", "text", "Name", { content: "x" }, "wrong_target", /Upload|upload/),
  refused("fill", "file", "Photo", { value: "x" }, "unsupported_surface", /file input/, LOCAL),

  { action: "click", kind: "submit, field missing", steps: [["click", "button:Sign in", {}, { invalid: true }]], tells: {} },
  { action: "press Enter", kind: "form", steps: [["fill", "User", { value: "ada" }], ["fill", "Word", { value: "x" }], ["press", "Word", { key: "Enter" }, { effect: { defaultAction: "submit" } }]], tells: { login: ["ada/x", 1] } },
  { action: "click", kind: "submit button", steps: [["fill", "Word", { value: "y" }], ["click", "button:Sign in"]], tells: { login: ["ada/y", 1] } },
  { action: "submit", kind: "form", steps: [["submit", "form:Login"]], tells: { login: ["ada/y", 1] } },
  { action: "click", kind: "behind a dialog", steps: [["click", "button:Ask"], ["click", "button:Add", {}, { code: "occluded", says: /covered by dialog "Question"/ }]], tells: {}, not: LOCAL },
  { action: "click", kind: "in a dialog", steps: [["click", "button:Yes"]], tells: { asked: ["yes", 1] }, not: LOCAL },
  { action: "press Escape", kind: "dialog", steps: [["click", "button:Ask"], ["press", "button:Yes", { key: "Escape" }, { effect: { defaultAction: "close" } }]], tells: { asked: ["nothing", 1] }, not: LOCAL },
  { action: "click, press Escape", kind: "popover", steps: [["click", "button:Info"], ["press", "button:Info", { key: "Escape" }, { effect: { defaultAction: "close" } }]], tells: { info: ["closed", 2] }, not: LOCAL },
  { action: "press Escape", kind: "the app's own tip", steps: [["click", "button:Tip"], ["press", "button:Tip", { key: "Escape" }]], tells: { tip: ["closed", 1] }, not: LOCAL },
  { action: "press Control+k", kind: "shortcut", steps: [["press", "group:Canvas", { key: "Control+k" }]], tells: { chord: ["ctrl+k", 1] }, not: LOCAL },
  { action: "press Meta+k", kind: "shortcut", steps: [["press", "group:Canvas", { key: "k", modifiers: ["Meta"] }]], tells: { chord: ["meta+k", 1] }, not: LOCAL },
  { action: "press Control+a, Delete", kind: "text", steps: [["fill", "Name", { value: "Bob" }], ["press", "Name", { key: "Control+a" }, { effect: { defaultAction: "select" } }], ["press", "Name", { key: "Delete" }], ["blur", "Name"]], tells: { name: ["", 2] } },

  { action: "press Home, a key", kind: "text", steps: [["fill", "Name", { value: "bc" }], ["press", "Name", { key: "Home" }, { effect: { defaultAction: "caret" } }], ["press", "Name", { key: "a" }], ["blur", "Name"]], tells: { name: ["abc", 2] } },

  { action: "drag", kind: "HTML5", steps: [["drag", "@card", { target: { role: "region", name: "Done" } }, { effect: { dropped: true, moved: true } }]], tells: { column: ["card", 1] }, not: LOCAL },
  { action: "drag", kind: "pointer", steps: [["drag", "button:Knob", { target: { testid: "end" } }, { warns: /Nothing moved/ }]], tells: { pan: ["right", 1] }, not: LOCAL },
  { action: "fill", kind: "contenteditable", steps: [["fill", "textbox:Bio", { value: "Hello" }]], tells: { bio: ["Hello", 1] }, not: LOCAL },
  { action: "type", kind: "contenteditable", steps: [["type", "textbox:Bio", { text: " you" }]], tells: { bio: ["Hello you", 4] }, not: LOCAL },
  { action: "clear", kind: "contenteditable", steps: [["clear", "textbox:Bio"]], tells: { bio: ["", 1] }, not: LOCAL },
  ...["v", "x", "c"].map((key) => ({
    action: `press Control+${key}`,
    kind: "clipboard",
    steps: [["press", "Paste here", { key: `Control+${key}` }, { warns: /clipboard.*trusted: true/, effect: { defaultAction: "not_emulated" } }]],
    tells: {},
    not: LOCAL,
  })),

  refused("click", "disabled button", "button:Frozen", {}, "not_editable", /button "Frozen" is disabled/),
  refused("fill", "in a disabled fieldset", "Inside", { value: "x" }, "not_editable", /is inside a disabled fieldset/),
  refused("fill", "read-only", "Serial", { value: "x" }, "not_editable", /is read-only/),
  refused("check", "disabled checkbox", "Off", {}, "not_editable", /is disabled/),
  refused("click", "covered", "button:Under", {}, "occluded", /covered by status/),
  { action: "click, force", kind: "covered", steps: [["click", "button:Under", { force: true }, { warns: /covered by status/ }]], tells: { under: [true, 1] }, but: { htmx: { tells: { under: ["", 1] } } } },
  refused("click", "hidden", "button:Ghost", {}, "not_visible", /is not displayed/),
  { action: "click", kind: "detached", steps: [["ref", "button:Row"], ["click", "button:Take away"], ["gone", "button:Row"], ["click", "ref", {}, { code: "stale_ref", says: /no longer in the page/ }]], tells: {} },
  refused("click", "one of two of a name", "button:Edit", {}, "ambiguous_target", /^2 elements match/),
  refused("fill", "text, no value", "Name", {}, "bad_arguments", /args.value/),
  refused("type", "text, no text", "Name", {}, "bad_arguments", /args.text/),
  refused("press", "no such key", "Name", { key: "Hyper" }, "bad_arguments", /no key "Hyper"/),
  refused("fill", "select", "Size", { value: "m" }, "wrong_target", /Cannot fill/),
  refused("select", "text", "Name", { value: "m" }, "wrong_target", /Cannot select/),
  refused("check", "button", "button:Add", {}, "wrong_target", /Cannot check/),
  refused("click", "not there", "button:Nowhere", {}, "no_match", /No element/),
  { action: "focus", kind: "text", steps: [["focus", "Point"]], tells: { point: ["focus", 1] } },
  { action: "blur", kind: "text", steps: [["blur", "Point"]], tells: { point: ["blur", 1] }, but: { htmx: { tells: {} } } },
  { action: "scroll", kind: "scroller", steps: [["scroll", "region:Terms", { dy: 60 }]], tells: { terms: [true, 1] }, not: LOCAL },
  { action: "scrollIntoView", kind: "button", steps: [["scrollIntoView", "button:Edit", { block: "center" }, { code: "ambiguous_target" }], ["scrollIntoView", "button:Take away", { block: "start" }]], tells: {} },
];

/** Rich text editors of their own, in the page of editors. */
export const EDITOR_CELLS = ["ProseMirror", "Quill", "Lexical"].flatMap((name) => {
  const key = name.toLowerCase();
  const on = `textbox:${name}`;
  return [
    { action: "fill", kind: name, steps: [["fill", on, { value: "Hello" }]], value: { [key]: "Hello" } },
    { action: "type", kind: name, steps: [["type", on, { text: " you\nthere" }]], value: { [key]: "Hello you\nthere" } },
    { action: "fill", kind: `${name}, not empty`, steps: [["fill", on, { value: "New" }]], value: { [key]: "New" } },
    { action: "clear", kind: name, steps: [["clear", on]], value: { [key]: "" } },
    { action: "press keys", kind: name, steps: ["x", "Enter", "y", "z", "Backspace"].map((one) => ["press", on, { key: one }]), value: { [key]: "x\ny" } },
    { action: "press Control+a, Delete", kind: name, steps: [["press", on, { key: "Control+a" }], ["press", on, { key: "Delete" }]], value: { [key]: "" } },
  ];
});
