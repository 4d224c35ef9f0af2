/*
 * Alpine from npm, with the app's own component.
 */
import Alpine from "alpinejs";

Alpine.data("app", () => ({
  state: { values: {}, n: {} },
  fields: { name: "", notes: "", email: "", secret: "", amount: "", short: "", title: "", search: "", size: "s", region: "", tags: [], agree: false, gift: false, pay: "", off: false, inside: "", day: "", hour: "", meeting: "", month: "", week: "", volume: "50", paint: "#000000" },
  phone: "",
  code: "",
  digits: "",
  city: "",
  open: false,
  at: -1,
  user: "",
  word: "",
  row: true,
  tip: false,
  from: null,
  colours: ["Red", "Green", "Blue"],

  init() {
    for (const key of Object.keys(this.fields)) {
      this.$watch(`fields.${key}`, (value) => this.tell(key, Array.isArray(value) ? value.join() : value));
    }
  },

  tell(key, value) {
    this.state.values[key] = value;
    this.state.n[key] = (this.state.n[key] || 0) + 1;
  },

  mask(text) {
    const digits = text.replace(/\D/g, "").slice(0, 7);
    this.phone = digits.length > 3 ? `${digits.slice(0, 3)}-${digits.slice(3)}` : digits;
    this.tell("phone", this.phone);
  },

  only(field) {
    if (/^\d*$/.test(field.value)) {
      this.digits = field.value;
      this.tell("digits", this.digits);
    } else field.value = this.digits;
  },

  get found() {
    return ["Bergen", "Bern", "Rome"].filter((one) => one.toLowerCase().startsWith(this.city.toLowerCase()));
  },

  choose(one) {
    if (!one) return;
    this.city = one;
    this.open = false;
    this.at = -1;
    this.tell("city", one);
  },

  paint(next) {
    if (this.colours[next]) this.tell("colour", this.colours[next]);
  },

  get painted() {
    return this.colours.indexOf(this.state.values.colour);
  },

  letGo(x) {
    if (this.from !== null) this.tell("pan", x > this.from + 20 ? "right" : "none");
    this.from = null;
  },
}));
window.Alpine = Alpine;
Alpine.start();
