/*
 * Rich text editors, each as its own documentation sets it up; what they keep as their document is what counts.
 */
import { registerRichText } from "@lexical/rich-text";
import { $getRoot, createEditor } from "lexical";
import { baseKeymap } from "prosemirror-commands";
import { keymap } from "prosemirror-keymap";
import { schema } from "prosemirror-schema-basic";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import Quill from "quill";

const state = { values: {}, n: {} };
const shown = document.querySelector("[data-testid=state]");
function tell(key, value) {
  if (state.values[key] === value) return;
  state.values[key] = value;
  state.n[key] = (state.n[key] || 0) + 1;
  shown.textContent = JSON.stringify(state);
}

const view = new EditorView(document.getElementById("prosemirror"), {
  state: EditorState.create({ schema, plugins: [keymap(baseKeymap)] }),
  attributes: { "aria-label": "ProseMirror", role: "textbox" },
  dispatchTransaction(transaction) {
    view.updateState(view.state.apply(transaction));
    if (transaction.docChanged) tell("prosemirror", view.state.doc.textBetween(0, view.state.doc.content.size, "\n"));
  },
});

const quill = new Quill("#quill", { modules: { toolbar: false } });
quill.root.setAttribute("aria-label", "Quill");
quill.root.setAttribute("role", "textbox");
quill.on("text-change", () => tell("quill", quill.getText().replace(/\n$/, "")));

const lexical = createEditor({ namespace: "matrix", onError: (error) => { throw error; } });
lexical.setRootElement(document.getElementById("lexical"));
registerRichText(lexical);
lexical.registerUpdateListener(({ editorState }) => editorState.read(() => {
  const text = $getRoot().getTextContent();
  if (text || state.values.lexical) tell("lexical", text.replace(/\n\n/g, "\n"));
}));
shown.textContent = JSON.stringify(state);
