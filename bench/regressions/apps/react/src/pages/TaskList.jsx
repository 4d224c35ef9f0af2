import { useEffect, useRef, useState } from "react";
import { useWords } from "../i18n.js";
import { go, Link, replace } from "../router.jsx";
import { canEdit, loadTasks, toggleDone, useSession, useTasks } from "../stores.js";

const STATUSES = ["all", "open", "doing", "done"];

function addressOf(asked) {
  const search = new URLSearchParams();
  if (asked.q) search.set("q", asked.q);
  if (asked.status !== "all") search.set("status", asked.status);
  if (asked.page > 1) search.set("page", asked.page);
  return search.size ? `?${search}` : "";
}

export function TaskList({ search }) {
  const { t } = useWords();
  const { shown, byId, total, pages, open } = useTasks();
  const session = useSession();
  const asked = {
    q: search.get("q") ?? "",
    status: search.get("status") ?? "all",
    page: Number(search.get("page") ?? 1),
  };
  const address = addressOf(asked);
  useEffect(() => {
    loadTasks(address);
  }, [address]);

  const change = (part) => replace(`/tasks${addressOf({ ...asked, page: 1, ...part })}`);
  return (
    <>
      <h1>{t("tasks")}</h1>
      <p data-testid="open-count">{t("openCount", { n: open })}</p>
      <SearchField value={asked.q} onSearch={(q) => change({ q })} />
      <label>
        {t("status")}{" "}
        <select value={asked.status} onChange={(event) => change({ status: event.target.value })}>
          {STATUSES.map((status) => <option key={status} value={status}>{t(status)}</option>)}
        </select>
      </label>
      {canEdit(session) ? (
        <button onClick={() => go("/tasks/new")}>{t("newTask")}</button>
      ) : (
        <p>{t("readOnly")}</p>
      )}
      <button onClick={() => exportTasks(shown.map((id) => byId[id]))}>{t("export")}</button>
      <p data-testid="found">{total === 1 ? t("foundOne") : t("found", { n: total })}</p>
      <ul className="tasks">
        {shown.map((id) => <TaskRow key={id} task={byId[id]} mayEdit={canEdit(session)} address={address} />)}
      </ul>
      <p>
        <button disabled={asked.page <= 1} onClick={() => go(`/tasks${addressOf({ ...asked, page: asked.page - 1 })}`)}>
          {t("previous")}
        </button>{" "}
        <span data-testid="page">{t("pageOf", { page: asked.page, pages })}</span>{" "}
        <button disabled={asked.page >= pages} onClick={() => go(`/tasks${addressOf({ ...asked, page: asked.page + 1 })}`)}>
          {t("next")}
        </button>
      </p>
    </>
  );
}

function TaskRow({ task, mayEdit, address }) {
  const { t, moment } = useWords();
  return (
    <li data-testid={`task-${task.id}`}>
      <input type="checkbox" aria-label={`${t("done")}: ${task.title}`} checked={task.status === "done"}
        disabled={!mayEdit} onChange={() => toggleDone(task)} />
      <Link to={`/tasks/${task.id}${address}`}>{task.title}</Link>
      <span>{t(task.status)}</span>
      <time data-testid={`due-${task.id}`} dateTime={task.due}>{moment(task.due)}</time>
    </li>
  );
}

/** Tells what is looked for when the typing has stopped. */
function SearchField({ value, onSearch }) {
  const { t } = useWords();
  const [words, setWords] = useState(value);
  const due = useRef(0);
  const type = (event) => {
    const typed = event.target.value;
    setWords(typed);
    clearTimeout(due.current);
    due.current = setTimeout(() => onSearch(typed.trim()), 200);
  };
  return <input type="search" aria-label={t("search")} value={words} onChange={type} />;
}

function exportTasks(tasks) {
  const lines = [["id", "title", "status", "due"], ...tasks.map((task) => [task.id, task.title, task.status, task.due])];
  const file = new Blob([lines.map((line) => line.join(",")).join("\n")], { type: "text/csv" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "tasks.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
