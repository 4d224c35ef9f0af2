// docs: A global
window.settings = { theme: "light", rows: 20 };
window.reticle?.registerStore("settings", () => window.settings, { everyMs: 500 }); // looked at twice a second
// end

window.counted = 0;
Object.defineProperty(window, "costly", { get: () => { window.counted += 1; return "run"; }, configurable: true });
document.querySelector("#change").onclick = () => { window.settings.theme = "dark"; };
