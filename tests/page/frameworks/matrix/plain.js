/*
 * The app without a framework: listeners, and a state that is drawn after each change.
 */
"use strict";

const state = { values: {}, n: {} };
const byId = (id) => document.getElementById(id);

function tell(key, value) {
  state.values[key] = value;
  state.n[key] = (state.n[key] || 0) + 1;
  byId("state").textContent = JSON.stringify(state);
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  return field.multiple ? [...field.selectedOptions].map((one) => one.value).join() : field.value;
}

for (const field of document.querySelectorAll("[data-tell]")) {
  field.addEventListener(field.dataset.on || "input", () => tell(field.dataset.tell, valueOf(field)));
}
for (const button of document.querySelectorAll("[data-click]")) button.addEventListener("click", () => tell(button.dataset.click, true));
for (const box of document.querySelectorAll("[data-toggle]")) {
  box.addEventListener("click", () => {
    const on = box.getAttribute("aria-checked") !== "true";
    box.setAttribute("aria-checked", String(on));
    tell(box.dataset.toggle, on);
  });
}

byId("add").addEventListener("click", () => tell("add", true));
byId("open").addEventListener("dblclick", () => tell("open", true));
byId("view").addEventListener("click", (event) => {
  event.preventDefault();
  tell("view", "second");
});
byId("star").addEventListener("click", () => tell("star", true));
byId("star").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  tell("star", true);
});
byId("menu").addEventListener("mouseenter", () => tell("menu", true));
byId("menu").addEventListener("mouseleave", () => tell("menu", false));
for (const area of document.querySelectorAll("area")) {
  area.addEventListener("click", (event) => {
    event.preventDefault();
    tell("side", area.alt.toLowerCase());
  });
}

byId("phone").addEventListener("input", ({ target }) => {
  const digits = target.value.replace(/\D/g, "").slice(0, 7);
  target.value = digits.length > 3 ? `${digits.slice(0, 3)}-${digits.slice(3)}` : digits;
  tell("phone", target.value);
});
byId("code").addEventListener("input", ({ target }) => {
  target.value = target.value.toUpperCase();
  tell("code", target.value);
});
let digits = "";
byId("digits").addEventListener("input", ({ target }) => {
  if (/^\d*$/.test(target.value)) {
    digits = target.value;
    tell("digits", digits);
  } else target.value = digits;
});
let timer;
byId("search").addEventListener("input", ({ target }) => {
  clearTimeout(timer);
  timer = setTimeout(() => tell("search", target.value), 120);
});

const city = byId("city");
const cities = byId("cities");
let at = -1;
function openCities() {
  const found = ["Bergen", "Bern", "Rome"].filter((name) => name.toLowerCase().startsWith(city.value.toLowerCase()));
  cities.innerHTML = found.map((name) => `<li role="option">${name}</li>`).join("");
  cities.hidden = false;
  at = -1;
}
function choose(option) {
  city.value = option.textContent;
  cities.hidden = true;
  tell("city", city.value);
}
city.addEventListener("input", openCities);
city.addEventListener("keydown", (event) => {
  const options = [...cities.children];
  if (event.key === "ArrowDown") at = Math.min(at + 1, options.length - 1);
  else if (event.key === "ArrowUp") at = Math.max(at - 1, 0);
  else if (event.key === "Enter" && options[at]) choose(options[at]);
  else return;
  event.preventDefault();
  options.forEach((option, index) => option.setAttribute("aria-selected", String(index === at)));
});
cities.addEventListener("mousedown", (event) => event.preventDefault());
cities.addEventListener("click", ({ target }) => choose(target));

byId("plan").addEventListener("change", ({ target }) => {
  target.value = "free";
  tell("plan", "refused");
});
byId("locked").addEventListener("click", (event) => {
  event.preventDefault();
  tell("locked", "refused");
});

const colours = byId("colours");
let colour = -1;
function paint(index) {
  if (!colours.children[index]) return;
  colour = index;
  [...colours.children].forEach((option, place) => option.setAttribute("aria-selected", String(place === index)));
  tell("colour", colours.children[index].textContent);
}
colours.addEventListener("keydown", (event) => {
  const next = { ArrowDown: colour + 1, ArrowUp: colour - 1, Home: 0, End: 2 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  paint(next);
});
colours.addEventListener("click", ({ target }) => paint([...colours.children].indexOf(target)));

byId("photo").addEventListener("change", ({ target }) => tell("photo", [...target.files].map((file) => `${file.name}:${file.size}`).join()));
byId("login").addEventListener("submit", (event) => {
  event.preventDefault();
  tell("login", `${event.target.user.value}/${event.target.word.value}`);
});
byId("ask").addEventListener("click", () => byId("question").showModal());
byId("question").addEventListener("close", ({ target }) => tell("asked", target.returnValue || "nothing"));
byId("info").addEventListener("toggle", (event) => tell("info", event.newState));
byId("tip").addEventListener("click", () => {
  byId("note").hidden = false;
});
byId("tip").addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || byId("note").hidden) return;
  byId("note").hidden = true;
  tell("tip", "closed");
});
byId("canvas").addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "k") return;
  event.preventDefault();
  tell("chord", `${event.ctrlKey ? "ctrl" : "meta"}+k`);
});

byId("card").addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", "card"));
byId("done").addEventListener("dragover", (event) => event.preventDefault());
byId("done").addEventListener("drop", (event) => {
  event.preventDefault();
  byId("done").append(byId("card"));
  tell("column", event.dataTransfer.getData("text/plain"));
});
let from = null;
byId("knob").addEventListener("pointerdown", (event) => {
  from = event.clientX;
  event.target.setPointerCapture(event.pointerId);
});
byId("knob").addEventListener("pointerup", (event) => {
  if (from !== null) tell("pan", event.clientX > from + 20 ? "right" : "none");
  from = null;
});
byId("bio").addEventListener("input", ({ target }) => tell("bio", target.textContent));
byId("paste").addEventListener("paste", (event) => tell("pasted", event.clipboardData.getData("text/plain")));
byId("paste").addEventListener("copy", () => tell("copied", true));
byId("away").addEventListener("click", () => byId("row").remove());
byId("point").addEventListener("focus", () => tell("point", "focus"));
byId("point").addEventListener("blur", () => tell("point", "blur"));
byId("terms").addEventListener("scroll", ({ target }) => state.values.terms || tell("terms", target.scrollTop > 0));
byId("state").textContent = JSON.stringify(state);
