/* A stock list in React 19, written without JSX so that nothing has to be built. */
define("app", (module, exports, require) => {
  const { Component, StrictMode, Suspense, createElement: h, startTransition, use, useState } = require("react");
  const { createRoot } = require("react-dom/client");

  const lying = location.search.includes("fault");
  const load = () => fetch("/rows").then((answer) => answer.json());
  const first = load();

  class Boundary extends Component {
    state = { broken: false };
    static getDerivedStateFromError = () => ({ broken: true });
    render() {
      return this.state.broken ? h("p", { role: "alert" }, "This part failed") : this.props.children;
    }
  }

  function Rows({ coming }) {
    return h("ul", null, use(coming).map((name) => h("li", { key: name }, name)));
  }

  function Bomb() {
    const [lit, light] = useState(false);
    if (lit) throw new Error("no such part");
    return h("button", { onClick: () => light(true) }, "Break");
  }

  function Stock() {
    const [name, setName] = useState("");
    const [coming, setComing] = useState(first);
    const [note, setNote] = useState("");
    const save = () => startTransition(async () => {
      const answer = await fetch("/rows", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name }) });
      if (!answer.ok && !lying) throw new Error("not saved");
      startTransition(() => { setComing(load()); setNote(`Saved ${name}`); setName(""); });
    });
    return h("main", null,
      h("label", null, "Name ", h("input", { value: name, onChange: (event) => setName(event.target.value.toUpperCase()) })),
      h("button", { onClick: save, disabled: !name }, "Save"),
      h("p", { role: "status" }, note),
      h(Suspense, { fallback: h("p", null, "Loading") }, h(Rows, { coming })),
      h(Boundary, null, h(Bomb)));
  }

  createRoot(document.getElementById("root")).render(h(StrictMode, null, h(Stock)));
});
