/** What the whole app knows: tasks, who is there, settings, messages. */
import { create } from "zustand";
import { api } from "./api.js";

export const useTasks = create(() => ({ byId: {}, shown: [], total: 0, pages: 1, open: 0 }));
export const useSession = create(() => ({ name: "", role: "viewer" }));
export const useSettings = create(() => ({
  language: localStorage.getItem("language") ?? "en",
  zone: localStorage.getItem("zone") ?? "UTC",
}));
export const useToast = create(() => ({ words: "", kind: "status" }));
export const useNotices = create(() => ({ unread: 0, last: null }));

const stores = { tasks: useTasks, session: useSession, settings: useSettings, notices: useNotices };
for (const [name, store] of Object.entries(stores)) window.reticle?.registerStore(name, store);

export const canEdit = (session) => session.role !== "viewer";

export function announce(words, kind = "status") {
  useToast.setState({ words, kind });
  clearTimeout(announce.due);
  announce.due = setTimeout(() => useToast.setState({ words: "" }), 4000);
}

export function putTask(task) {
  useTasks.setState((state) => ({ byId: { ...state.byId, [task.id]: task } }));
}

let latest = 0;

export async function loadTasks(search) {
  const mine = ++latest;
  const found = await api("GET", `/api/tasks${search}`);
  if (mine !== latest) return;
  const byId = { ...useTasks.getState().byId };
  for (const task of found.items) byId[task.id] = task;
  const shown = found.items.map((task) => task.id);
  useTasks.setState({ byId, shown, total: found.total, pages: found.pages, open: found.open });
}

export async function loadTask(id) {
  putTask(await api("GET", `/api/tasks/${id}`));
}

/** Done or not: shown at once, taken back when the server does not want it. */
export async function toggleDone(task) {
  const status = task.status === "done" ? "open" : "done";
  const opened = status === "done" ? -1 : 1;
  putTask({ ...task, status });
  useTasks.setState((state) => ({ open: state.open + opened }));
  try {
    putTask(await api("PATCH", `/api/tasks/${task.id}`, { status }));
  } catch (error) {
    putTask(task);
    useTasks.setState((state) => ({ open: state.open - opened }));
    announce(error.message, "alert");
  }
}

export async function signIn(id) {
  useSession.setState(await api("PUT", "/api/session", { id }));
}

export function chooseLanguage(language) {
  localStorage.setItem("language", language);
  document.documentElement.lang = language;
  useSettings.setState({ language });
}

export function chooseZone(zone) {
  localStorage.setItem("zone", zone);
  useSettings.setState({ zone });
}
