/** Words in two languages, and how each writes numbers and dates. */
import { useSettings } from "./stores.js";

const WORDS = {
  en: {
    tasks: "Tasks", report: "Report", newTask: "New task", save: "Save", cancel: "Cancel", edit: "Edit",
    search: "Search", status: "Status", all: "All", open: "Open", doing: "In progress", done: "Done",
    previous: "Previous", next: "Next", pageOf: "Page {page} of {pages}", found: "{n} tasks", foundOne: "1 task",
    title: "Title", estimate: "Estimate in hours", due: "Due", cost: "Cost", assignee: "Assignee",
    created: "{title} was created", saved: "Changes saved", deleted: "{title} was deleted",
    titleMissing: "Give the task a title", hoursWrong: "Hours must be between 0.25 and 200",
    comments: "Comments ({n})", comment: "Comment", send: "Send", language: "Language", zone: "Time zone",
    user: "User", readOnly: "You can look, but not change anything", openCount: "{n} open", back: "Back to the list",
    month: "Month", person: "Person", hours: "Hours", total: "Total", remove: "Delete", sure: "Delete {title}?",
    review: "Ask for review", reviewBy: "In review by {name}", notFound: "There is no such page",
    broken: "This part could not be shown", export: "Export", notices: "{n} new",
  },
  de: {
    tasks: "Aufgaben", report: "Bericht", newTask: "Neue Aufgabe", save: "Sichern", cancel: "Abbrechen", edit: "Bearbeiten",
    search: "Suchen", status: "Stand", all: "Alle", open: "Offen", doing: "In Arbeit", done: "Fertig",
    previous: "Zurück", next: "Weiter", pageOf: "Seite {page} von {pages}", found: "{n} Aufgaben", foundOne: "1 Aufgabe",
    title: "Titel", estimate: "Schätzung in Stunden", due: "Fällig", cost: "Kosten", assignee: "Zuständig",
    created: "{title} wurde angelegt", saved: "Änderungen gesichert", deleted: "{title} wurde gelöscht",
    titleMissing: "Die Aufgabe braucht einen Titel", hoursWrong: "Es müssen 0,25 bis 200 Stunden sein",
    comments: "Kommentare ({n})", comment: "Kommentar", send: "Senden", language: "Sprache", zone: "Zeitzone",
    user: "Benutzer", readOnly: "Sie können nur lesen", openCount: "{n} offen", back: "Zur Liste",
    month: "Monat", person: "Person", hours: "Stunden", total: "Summe", remove: "Löschen", sure: "{title} löschen?",
    review: "Um Prüfung bitten", reviewBy: "In Prüfung bei {name}", notFound: "Diese Seite gibt es nicht",
    broken: "Dieser Teil kann nicht gezeigt werden", export: "Ausfuhr", notices: "{n} neu",
  },
};
const LOCALES = { en: "en-GB", de: "de-DE" };

export function translate(language, key, values = {}) {
  return WORDS[language][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export function formatMoney(language, cents) {
  return new Intl.NumberFormat(LOCALES[language], { style: "currency", currency: "EUR" }).format(cents / 100);
}

export function formatHours(language, minutes) {
  return new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 2 }).format(minutes / 60);
}

export function formatMoment(language, zone, moment) {
  const how = { dateStyle: "medium", timeStyle: "short", timeZone: zone };
  return new Intl.DateTimeFormat(LOCALES[language], how).format(new Date(moment));
}

/** What a component needs to speak: words, money, hours and moments as the settings have them. */
export function useWords() {
  const language = useSettings((settings) => settings.language);
  const zone = useSettings((settings) => settings.zone);
  return {
    t: (key, values) => translate(language, key, values),
    money: (cents) => formatMoney(language, cents),
    hours: (minutes) => formatHours(language, minutes),
    moment: (moment) => formatMoment(language, zone, moment),
  };
}
