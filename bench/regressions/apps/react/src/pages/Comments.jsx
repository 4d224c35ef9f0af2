import { useEffect, useState } from "react";
import { api } from "../api.js";
import { useWords } from "../i18n.js";
import { announce, useSession } from "../stores.js";

export function Comments({ id, mayWrite }) {
  const { t, moment } = useWords();
  const session = useSession();
  const [comments, setComments] = useState([]);
  const [words, setWords] = useState("");

  useEffect(() => {
    let gone = false;
    api("GET", `/api/tasks/${id}/comments`).then((found) => !gone && setComments(found));
    return () => {
      gone = true;
    };
  }, [id]);

  /** Shown at once; taken back, the words kept, when the server does not want it. */
  const send = async (event) => {
    event.preventDefault();
    if (!words.trim()) return;
    const draft = { id: `draft-${Date.now()}`, by: session.name, words, at: new Date().toISOString() };
    setComments((known) => [...known, draft]);
    setWords("");
    try {
      const kept = await api("POST", `/api/tasks/${id}/comments`, { words: draft.words });
      setComments((known) => known.map((one) => (one.id === draft.id ? kept : one)));
    } catch (error) {
      setComments((known) => known.filter((one) => one.id !== draft.id));
      setWords(draft.words);
      announce(error.message, "alert");
    }
  };

  return (
    <section>
      <h2>{t("comments", { n: comments.length })}</h2>
      <ul data-testid="comments">
        {comments.map((one) => (
          <li key={one.id}>
            <strong>{one.by}</strong> <span>{one.words}</span> <time dateTime={one.at}>{moment(one.at)}</time>
          </li>
        ))}
      </ul>
      {mayWrite && (
        <form onSubmit={send}>
          <input aria-label={t("comment")} value={words} onChange={(event) => setWords(event.target.value)} />
          <button>{t("send")}</button>
        </form>
      )}
    </section>
  );
}
