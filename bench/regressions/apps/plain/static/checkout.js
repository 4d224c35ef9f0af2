/** Checking out: the form, what is wrong with it, and the order. */
import { api, byId, el } from "/lib.js";
import { signedIn } from "/frame.js";
import { money } from "/settings.js";
import { cart, openCart } from "/cart-data.js";

const form = byId("form");

const RULES = {
  name: (value) => value.trim() !== "" || "Please give your name",
  email: (value) => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value) || "Please give an email address",
  postcode: (value) => /^\d{5}$/.test(value) || "A postcode has five digits",
  card: (value) => value.replaceAll(" ", "").length === 16 || "A card number has sixteen digits",
};

function mark(field, problem) {
  byId(`${field.name}-problem`)?.remove();
  if (!problem) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
    return;
  }
  const words = el("span", { id: `${field.name}-problem`, class: "problem" }, problem);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", words.id);
  field.parentElement.after(words);
}

/** Marks every field and gives those with a problem. */
function wrong() {
  return Object.entries(RULES).flatMap(([name, rule]) => {
    const field = form.elements[name];
    const told = rule(field.value);
    mark(field, told === true ? "" : told);
    return told === true ? [] : [field];
  });
}

async function order(event) {
  event.preventDefault();
  byId("refusal").textContent = "";
  const [first] = wrong();
  if (first) {
    first.focus();
    return;
  }
  byId("place").disabled = true;
  try {
    const placed = await api("POST", "/api/orders", Object.fromEntries(new FormData(form)));
    location.assign(`/orders/${placed.id}`);
  } catch (error) {
    byId("refusal").textContent = error.message;
    byId("place").disabled = false;
  }
}

cart.subscribe((state) => (document.querySelector("[data-testid=due]").textContent = money(state.due)));
form.addEventListener("submit", order);
signedIn.then(openCart);
