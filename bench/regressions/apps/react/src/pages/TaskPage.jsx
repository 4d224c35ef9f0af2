import { useEffect, useRef, useState } from "react";
import { api } from "../api.js";
import { useWords } from "../i18n.js";
import { go, Link, useAddress } from "../router.jsx";
import { announce, canEdit, loadTask, putTask, useSession, useTasks } from "../stores.js";
import { Comments } from "./Comments.jsx";

const RATES = { ana: 8000, ben: 6500, vera: 5200 };
const NAMES = { ana: "Ana", ben: "Ben", vera: "Vera" };

export const costOf = (task) => Math.round((task.minutes * RATES[task.assignee]) / 60);

export function TaskPage({ id }) {
  const { t, money, hours, moment } = useWords();
  const task = useTasks((state) => state.byId[id]);
  const session = useSession();
  const { search } = useAddress();
  const [asking, setAsking] = useState(false);
  const heading = useRef(null);

  useEffect(() => {
    loadTask(id);
  }, [id]);

  if (!task) return <p>…</p>;

  const remove = async () => {
    setAsking(false);
    try {
      await api("DELETE", `/api/tasks/${id}`);
      announce(t("deleted", task));
      go("/tasks");
    } catch (error) {
      announce(error.message, "alert");
    }
  };

  const cancel = () => {
    setAsking(false);
    heading.current.focus();
  };

  const review = async () => {
    putTask(await api("POST", `/api/tasks/${id}/review`, {}));
  };

  return (
    <>
      <Link to={`/tasks${search}`}>{t("back")}</Link>
      <h1 ref={heading} tabIndex={-1}>{task.title}</h1>
      <dl>
        <dt>{t("status")}</dt>
        <dd data-testid="status">{t(task.status)}</dd>
        <dt>{t("assignee")}</dt>
        <dd data-testid="assignee">{NAMES[task.assignee]}</dd>
        <dt>{t("estimate")}</dt>
        <dd data-testid="hours">{hours(task.minutes)}</dd>
        <dt>{t("cost")}</dt>
        <dd data-testid="cost">{money(costOf(task))}</dd>
        <dt>{t("due")}</dt>
        <dd data-testid="due">{moment(task.due)}</dd>
      </dl>
      {task.reviewer && <p data-testid="review">{t("reviewBy", { name: NAMES[task.reviewer] })}</p>}
      {canEdit(session) && (
        <p>
          <button onClick={() => go(`/tasks/${id}/edit`)}>{t("edit")}</button>{" "}
          <button onClick={review}>{t("review")}</button>{" "}
          <button onClick={() => setAsking(true)}>{t("remove")}</button>
        </p>
      )}
      <Comments id={id} mayWrite={canEdit(session)} />
      {asking && <Confirm words={t("sure", task)} onYes={remove} onNo={cancel} />}
    </>
  );
}

function Confirm({ words, onYes, onNo }) {
  const { t } = useWords();
  const no = useRef(null);
  useEffect(() => no.current.focus(), []);
  const key = (event) => {
    if (event.key === "Escape") onNo();
  };
  return (
    <div className="veil" onKeyDown={key}>
      <div className="dialog" role="alertdialog" aria-modal="true" aria-label={words}>
        <p>{words}</p>
        <button ref={no} onClick={onNo}>{t("cancel")}</button>{" "}
        <button data-testid="confirm" onClick={onYes}>{t("remove")}</button>
      </div>
    </div>
  );
}
