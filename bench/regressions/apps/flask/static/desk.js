/* What htmx does not do by itself: drafts of replies, letters left, and a word when the server fails. */
(() => {
  const reply = document.getElementById("reply");

  function message(words, kind) {
    const place = document.getElementById("message");
    place.setAttribute("role", kind);
    place.className = words ? `message ${kind}` : "";
    place.textContent = words;
  }

  function showLeft() {
    const field = reply.elements.words;
    reply.querySelector("[data-testid=left]").textContent = `${field.maxLength - field.value.length} left`;
  }

  function keepDraft() {
    const { draft } = reply.dataset;
    const words = reply.elements.words.value;
    if (words) sessionStorage.setItem(draft, words);
    else sessionStorage.removeItem(draft);
  }

  function sent(event) {
    if (!event.detail.successful || event.detail.elt !== reply) return;
    reply.reset();
    keepDraft();
    showLeft();
    reply.elements.words.focus();
    message("Reply sent", "status");
  }

  document.addEventListener("htmx:sendError", () => message("The server cannot be reached", "alert"));
  document.addEventListener("htmx:responseError", () => message("The server failed, nothing was changed", "alert"));

  if (reply) {
    reply.elements.words.value = sessionStorage.getItem(reply.dataset.draft) ?? "";
    showLeft();
    reply.addEventListener("input", () => {
      showLeft();
      keepDraft();
    });
    document.addEventListener("htmx:afterRequest", sent);
  }
})();
