/** The account: profile, mails, password, feedback, signing out. */
import { announce, api, byId, debounced } from "/lib.js";
import { session, signedIn } from "/frame.js";

const form = byId("profile");

function show({ profile }) {
  if (!profile) return;
  form.elements.name.value = profile.name;
  form.elements.email.value = profile.email;
  byId("mails").setAttribute("aria-checked", String(profile.orderMails));
}

async function save(event) {
  event.preventDefault();
  const sent = Object.fromEntries(new FormData(form));
  const email = form.elements.email;
  if (!email.checkValidity()) {
    email.setAttribute("aria-invalid", "true");
    byId("profile-problem").textContent = "Please give an email address";
    email.focus();
    return;
  }
  email.removeAttribute("aria-invalid");
  byId("profile-problem").textContent = "";
  session.setState({ profile: await api("PUT", "/api/profile", sent) });
  announce("Profile saved");
}

async function toggleMails() {
  const on = byId("mails").getAttribute("aria-checked") !== "true";
  session.setState({ profile: await api("PATCH", "/api/profile", { on }) });
}

async function changePassword(event) {
  event.preventDefault();
  const differs = byId("new").value !== byId("again").value;
  byId("again").toggleAttribute("aria-invalid", false);
  byId("again-problem").textContent = "";
  if (differs) {
    byId("again").setAttribute("aria-invalid", "true");
    byId("again-problem").textContent = "The two passwords differ";
    byId("again").focus();
    return;
  }
  await api("PUT", "/api/password", { old: byId("old").value, new: byId("new").value });
  byId("password").reset();
  announce("Password changed");
}

const keepDraft = debounced((text) => {
  localStorage.setItem("feedback", text);
  byId("draft").textContent = "Draft kept";
}, 300);

async function signOut() {
  await api("DELETE", "/api/session");
  localStorage.removeItem("feedback");
  session.setState({ role: null, profile: null });
  location.assign("/bye");
}

session.subscribe(show);
form.addEventListener("submit", save);
byId("mails").addEventListener("click", toggleMails);
byId("password").addEventListener("submit", changePassword);
byId("feedback").value = localStorage.getItem("feedback") ?? "";
byId("feedback").addEventListener("input", (event) => keepDraft(event.target.value));
byId("sign-out").addEventListener("click", signOut);
signedIn.catch(() => announce("The server cannot be reached", { kind: "alert" }));
