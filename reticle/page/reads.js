/*
 * The command `read`: several questions at one moment of the page, now or when it has come to rest.
 */

const QUESTIONS = {
  match: runMatch, text: runText, state: runStateQuestion, route: runRoute, content: runContent, stored: runStored,
};

/**
 * The `read` command: several questions in one turn of the page, with the work that is pending then; one that fails does
 * not spoil the others, and none asks for the pending work alone. With `restMs` that turn comes when the page has come to
 * rest, after so long at the latest.
 */
function runRead(args) {
  allowOnly(args, ["questions", "restMs"], "read");
  const { questions, restMs } = args;
  if (!Array.isArray(questions)) throw badArguments("questions must be a list.");
  if (restMs === undefined) return readNow(questions, false);
  if (typeof restMs !== "number" || !(restMs >= 0 && restMs <= LIMIT.REST_MS)) throw badArguments(`restMs is at most ${LIMIT.REST_MS}.`);
  return rest.come(restMs).then((rested) => readNow(questions, rested));
}

function readNow(questions, rested) {
  const answers = questions.map((question) => {
    try {
      const ask = question && Object.hasOwn(QUESTIONS, question.kind) ? QUESTIONS[question.kind] : null;
      if (!ask) throw badArguments(`There is no question ${clip(String(question && question.kind), 40)}.`);
      return { ok: true, ...ask(question) };
    } catch (error) {
      return { ok: false, error: clip(String((error && error.message) || error), LIMIT.ERROR_CHARS) };
    }
  });
  const pending = pendingWork.tell();
  if (pending && rested) pending.rested = true;
  return { answers, documentId: identity.documentId, ...(pending ? { pending } : {}) };
}
