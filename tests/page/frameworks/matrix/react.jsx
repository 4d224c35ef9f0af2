/*
 * The app in React: controlled fields, `onChange`, a reducer whose state is drawn. The same source for React 18 and 19.
 */
import { useEffect, useReducer, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

const CITIES = ["Bergen", "Bern", "Rome"];
const COLOURS = ["Red", "Green", "Blue"];

function reduce({ values, n }, [key, value]) {
  return { values: { ...values, [key]: value }, n: { ...n, [key]: (n[key] || 0) + 1 } };
}

function Text({ label, as: Tag = "input", value, onText, ...rest }) {
  return (
    <label>
      {label} <Tag value={value ?? ""} onChange={(event) => onText(event.target.value)} {...rest} />
    </label>
  );
}

function mask(text) {
  const digits = text.replace(/\D/g, "").slice(0, 7);
  return digits.length > 3 ? `${digits.slice(0, 3)}-${digits.slice(3)}` : digits;
}

function Search({ tell }) {
  const [text, setText] = useState("");
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return undefined;
    }
    const timer = setTimeout(() => tell(["search", text]), 120);
    return () => clearTimeout(timer);
  }, [text, tell]);
  return <Text label="Search" type="search" value={text} onText={setText} />;
}

function City({ value, tell }) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const found = CITIES.filter((city) => city.toLowerCase().startsWith(text.toLowerCase()));
  const choose = (city) => {
    setText(city);
    setOpen(false);
    setAt(-1);
    tell(["city", city]);
  };
  const keys = (event) => {
    if (event.key === "ArrowDown") setAt((one) => Math.min(one + 1, found.length - 1));
    else if (event.key === "ArrowUp") setAt((one) => Math.max(one - 1, 0));
    else if (event.key === "Enter" && found[at]) choose(found[at]);
    else if (event.key === "Escape") setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <div>
      <label>
        City{" "}
        <input
          role="combobox"
          aria-expanded={open}
          aria-controls="cities"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
          }}
          onKeyDown={keys}
        />
      </label>
      {open && (
        <ul id="cities" role="listbox" aria-label="Cities">
          {found.map((city, index) => (
            <li key={city} role="option" aria-selected={index === at} onMouseDown={(event) => event.preventDefault()} onClick={() => choose(city)}>
              {city}
            </li>
          ))}
        </ul>
      )}
      <p>{value}</p>
    </div>
  );
}

function Colours({ value, tell }) {
  const at = COLOURS.indexOf(value);
  const keys = (event) => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: COLOURS.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (COLOURS[next]) tell(["colour", COLOURS[next]]);
  };
  return (
    <ul role="listbox" aria-label="Colours" tabIndex={0} onKeyDown={keys}>
      {COLOURS.map((colour) => (
        <li key={colour} role="option" aria-selected={colour === value} onClick={() => tell(["colour", colour])}>
          {colour}
        </li>
      ))}
    </ul>
  );
}

function Login({ tell }) {
  const [user, setUser] = useState("");
  const [word, setWord] = useState("");
  const send = (event) => {
    event.preventDefault();
    tell(["login", `${user}/${word}`]);
  };
  return (
    <form aria-label="Login" onSubmit={send}>
      <Text label="User" value={user} onText={setUser} required />
      <Text label="Word" value={word} onText={setWord} />
      <button>Sign in</button>
    </form>
  );
}

function Ask({ tell }) {
  const dialog = useRef(null);
  return (
    <>
      <button onClick={() => dialog.current.showModal()}>Ask</button>
      <dialog ref={dialog} aria-label="Question" onClose={() => tell(["asked", dialog.current.returnValue || "nothing"])}>
        <form method="dialog">
          <button value="yes">Yes</button>
        </form>
      </dialog>
    </>
  );
}

function Board({ column, tell }) {
  const card = <p draggable="true" onDragStart={(event) => event.dataTransfer.setData("text/plain", "card")}>Card</p>;
  const drop = (event) => {
    event.preventDefault();
    tell(["column", event.dataTransfer.getData("text/plain")]);
  };
  return (
    <div className="board">
      <div role="region" aria-label="To do">{column ? null : card}</div>
      <div role="region" aria-label="Done" onDragOver={(event) => event.preventDefault()} onDrop={drop}>{column ? card : null}</div>
    </div>
  );
}

function Pan({ tell }) {
  const from = useRef(null);
  return (
    <div className="pan">
      <button
        onPointerDown={(event) => {
          from.current = event.clientX;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerUp={(event) => {
          if (from.current !== null) tell(["pan", event.clientX > from.current + 20 ? "right" : "none"]);
          from.current = null;
        }}
      >
        Knob
      </button>
      <span data-testid="end">End</span>
    </div>
  );
}

function App() {
  const [{ values, n }, tell] = useReducer(reduce, { values: {}, n: {} });
  const [row, setRow] = useState(true);
  const [open, setOpen] = useState(false);
  const [title, setTitle] = useState("");
  const to = (key) => (text) => tell([key, text]);
  const checked = (key) => ({ checked: values[key] ?? false, onChange: (event) => tell([key, event.target.checked]) });
  const star = () => tell(["star", true]);
  return (
    <main>
      <button onClick={() => tell(["add", true])}>Add</button>
      <button onDoubleClick={() => tell(["open", true])}>Open</button>
      <a href="/second" onClick={(event) => { event.preventDefault(); tell(["view", "second"]); }}>Second view</a>
      <div role="button" tabIndex={0} onClick={star} onKeyDown={(event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), star())}>Star</div>
      <div onMouseEnter={() => tell(["menu", true])} onMouseLeave={() => tell(["menu", false])}><button>Menu</button></div>
      <img src="/sides.svg" width="120" height="40" useMap="#sides" alt="Sides" />
      <map name="sides">
        <area shape="rect" coords="0,0,60,40" href="#north" alt="North" onClick={(event) => { event.preventDefault(); tell(["side", "north"]); }} />
        <area shape="circle" coords="95,20,18" href="#south" alt="South" onClick={(event) => { event.preventDefault(); tell(["side", "south"]); }} />
      </map>

      <Text label="Name" value={values.name} onText={to("name")} />
      <Text label="Notes" as="textarea" value={values.notes} onText={to("notes")} />
      <Text label="Email" type="email" value={values.email} onText={to("email")} />
      <Text label="Secret" type="password" value={values.secret} onText={to("secret")} />
      <Text label="Amount" type="number" step="any" value={values.amount} onText={to("amount")} />
      <Text label="Phone" value={values.phone} onText={(text) => tell(["phone", mask(text)])} />
      <Text label="Code" value={values.code} onText={(text) => tell(["code", text.toUpperCase()])} />
      <Text label="Digits" value={values.digits} onText={(text) => /^\d*$/.test(text) && tell(["digits", text])} />
      <Text label="Short" maxLength={5} value={values.short} onText={to("short")} />
      <Text label="Title" value={title} onText={setTitle} onBlur={() => title && title !== values.title && tell(["title", title])} />
      <Search tell={tell} />
      <City value={values.city} tell={tell} />

      <label>Size <select value={values.size ?? "s"} onChange={(event) => tell(["size", event.target.value])}><option value="s">Small</option><option value="m">Medium</option><option value="l">Large</option></select></label>
      <label>Region <select value={values.region ?? ""} onChange={(event) => tell(["region", event.target.value])}><option value="">None</option><optgroup label="Germany"><option value="de-be">Berlin</option></optgroup><optgroup label="Italy"><option value="it-rm">Rome</option></optgroup></select></label>
      <label>Tags <select multiple value={values.tags?.split(",") ?? []} onChange={(event) => tell(["tags", [...event.target.selectedOptions].map((one) => one.value).join()])}><option value="a">Alpha</option><option value="b">Beta</option><option value="c">Gamma</option></select></label>
      <label>Plan <select value="free" onChange={() => tell(["plan", "refused"])}><option value="free">Free</option><option value="pro">Pro</option></select></label>
      <label><input type="checkbox" {...checked("agree")} /> Agree</label>
      <label><input type="checkbox" checked={false} onChange={() => tell(["locked", "refused"])} /> Locked</label>
      <label className="gift"><input type="checkbox" className="unseen" {...checked("gift")} /><span>Gift</span></label>
      {["card", "invoice"].map((kind) => (
        <label key={kind}><input type="radio" name="pay" checked={values.pay === kind} onChange={() => tell(["pay", kind])} /> {kind === "card" ? "Card payer" : "Invoice"}</label>
      ))}
      <button role="switch" aria-checked={values.dark ?? false} onClick={() => tell(["dark", !values.dark])}>Dark mode</button>
      <div role="checkbox" tabIndex={0} aria-checked={values.mail ?? false} onClick={() => tell(["mail", !values.mail])}>Mail me</div>
      <Colours value={values.colour} tell={tell} />

      {["date Day day", "time Hour hour", "datetime-local Meeting meeting", "month Month month", "week Week week", "range Volume volume", "color Paint paint"].map((one) => {
        const [type, label, key] = one.split(" ");
        return <Text key={key} label={label} type={type} value={values[key] ?? (type === "color" ? "#000000" : "")} onText={to(key)} />;
      })}
      <label>Photo <input type="file" onChange={(event) => tell(["photo", [...event.target.files].map((file) => `${file.name}:${file.size}`).join()])} /></label>

      <Login tell={tell} />
      <Ask tell={tell} />
      <button popoverTarget="info">Info</button>
      <div id="info" popover="auto" ref={(node) => { if (node) node.ontoggle = (event) => tell(["info", event.newState]); }}>About this page</div>
      <button onClick={() => setOpen(true)} onKeyDown={(event) => event.key === "Escape" && open && (setOpen(false), tell(["tip", "closed"]))}>Tip</button>
      {open && <p role="note">A tip</p>}
      <div tabIndex={0} role="group" aria-label="Canvas" onKeyDown={(event) => { if ((event.ctrlKey || event.metaKey) && event.key === "k") { event.preventDefault(); tell(["chord", `${event.ctrlKey ? "ctrl" : "meta"}+k`]); } }}>Canvas</div>

      <Board column={values.column} tell={tell} />
      <Pan tell={tell} />
      <div contentEditable suppressContentEditableWarning role="textbox" aria-label="Bio" onInput={(event) => tell(["bio", event.currentTarget.textContent])}></div>
      <label>Paste here <input defaultValue="" onPaste={(event) => tell(["pasted", event.clipboardData.getData("text/plain")])} onCopy={() => tell(["copied", true])} /></label>

      <button disabled onClick={() => tell(["frozen", true])}>Frozen</button>
      <fieldset disabled><Text label="Inside" value={values.inside} onText={to("inside")} /></fieldset>
      <Text label="Serial" readOnly value="S-1" onText={to("serial")} />
      <label><input type="checkbox" disabled {...checked("off")} /> Off</label>
      <div className="under"><button onClick={() => tell(["under", true])}>Under</button><div className="lid" role="status">Cookie notice</div></div>
      <button style={{ display: "none" }} onClick={() => tell(["ghost", true])}>Ghost</button>
      {row && <button onClick={() => tell(["row", true])}>Row</button>}
      <button onClick={() => setRow(false)}>Take away</button>
      <button onClick={() => tell(["edit", 1])}>Edit</button>
      <button onClick={() => tell(["edit", 2])}>Edit</button>
      <label>Point <input onFocus={() => tell(["point", "focus"])} onBlur={() => tell(["point", "blur"])} /></label>
      <div className="terms" role="region" aria-label="Terms" tabIndex={0} onScroll={(event) => !values.terms && tell(["terms", event.currentTarget.scrollTop > 0])}><p>Terms</p></div>
      <pre data-testid="state">{JSON.stringify({ values, n })}</pre>
    </main>
  );
}

createRoot(document.getElementById("root")).render(<App />);
