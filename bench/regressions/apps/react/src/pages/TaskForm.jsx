import { useEffect, useRef, useState } from "react";
import { api } from "../api.js";
import { useWords } from "../i18n.js";
import { go } from "../router.jsx";
import { announce, loadTask, putTask, useTasks } from "../stores.js";

const EMPTY = { title: "", hours: "1", assignee: "ana", due: "2026-04-01" };

function fieldsOf(task) {
  return { title: task.title, hours: String(task.minutes / 60), assignee: task.assignee, due: task.due.slice(0, 10) };
}

function validate({ title, hours }, t) {
  const errors = {};
  if (!title.trim()) errors.title = t("titleMissing");
  const number = Number(hours);
  if (!(number >= 0.25 && number <= 200)) errors.hours = t("hoursWrong");
  return errors;
}

/** A new task, or one that is there already. */
export function TaskForm({ id }) {
  const { t } = useWords();
  const task = useTasks((state) => state.byId[id]);
  const [fields, setFields] = useState(task ? fieldsOf(task) : EMPTY);
  const [errors, setErrors] = useState({});
  const [sending, setSending] = useState(false);
  const form = useRef(null);

  useEffect(() => {
    if (id && !task) loadTask(id).then(() => setFields(fieldsOf(useTasks.getState().byId[id])));
  }, [id]);

  if (id && !task) return <p>…</p>;

  const change = (name) => (event) => setFields({ ...fields, [name]: event.target.value });

  const refuse = (found) => {
    setErrors(found);
    form.current.elements[Object.keys(found)[0]].focus();
  };

  const save = async (event) => {
    event.preventDefault();
    const found = validate(fields, t);
    if (Object.keys(found).length) return refuse(found);
    setErrors({});
    setSending(true);
    const body = {
      title: fields.title.trim(),
      minutes: Math.round(Number(fields.hours) * 60),
      assignee: fields.assignee,
      due: `${fields.due}T17:00:00Z`,
    };
    try {
      const saved = id ? await api("PUT", `/api/tasks/${id}`, body) : await api("POST", "/api/tasks", body);
      putTask(saved);
      announce(id ? t("saved") : t("created", saved));
      go(`/tasks/${saved.id}`);
    } catch (error) {
      if (error.status === 422) refuse(error.fields);
      else announce(error.message, "alert");
    } finally {
      setSending(false);
    }
  };

  return (
    <form ref={form} onSubmit={save} noValidate>
      <h1>{id ? t("edit") : t("newTask")}</h1>
      <Field name="title" label={t("title")} error={errors.title} value={fields.title} onChange={change("title")} />
      <Field name="hours" label={t("estimate")} error={errors.hours} value={fields.hours} onChange={change("hours")} />
      <Field name="due" label={t("due")} type="date" value={fields.due} onChange={change("due")} />
      <div className="field">
        <label htmlFor="assignee">{t("assignee")}</label>
        <select id="assignee" name="assignee" value={fields.assignee} onChange={change("assignee")}>
          <option value="ana">Ana</option>
          <option value="ben">Ben</option>
          <option value="vera">Vera</option>
        </select>
      </div>
      <button disabled={sending}>{t("save")}</button>
    </form>
  );
}

function Field({ name, label, error, ...rest }) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input id={name} name={name} aria-invalid={Boolean(error)} aria-describedby={error && `${name}-error`} {...rest} />
      {error && <p className="field-error" id={`${name}-error`}>{error}</p>}
    </div>
  );
}
