import { Component, render } from "preact";
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";

function Counter({ start }) {
  const [count, setCount] = useState(start);
  const [mode] = useReducer((state) => state, "fast");
  const box = useRef("held");
  const double = useMemo(() => count * 2, [count]);
  const add = useCallback(() => setCount((now) => now + 1), []);
  useEffect(() => {}, []);
  return <button data-testid="hooks" onClick={add} title={`${mode} ${box.current}`}>{double}</button>;
}

class Menu extends Component {
  state = { open: false, accessToken: "s3cr3t-value" };
  render() {
    return <button data-testid="class" onClick={() => this.setState({ open: true })}>Menu</button>;
  }
}

render(<div><Counter start={2} /><Menu /></div>, document.querySelector("#app"));
