import React from "react";
import { mount } from "./mount";

function Counter({ start }) {
  const [count, setCount] = React.useState(start);
  const [mode] = React.useReducer((state) => state, "fast");
  const box = React.useRef("held");
  const double = React.useMemo(() => count * 2, [count]);
  const add = React.useCallback(() => setCount((now) => now + 1), []);
  React.useEffect(() => {}, []);
  return <button data-testid="hooks" onClick={add} title={`${mode} ${box.current}`}>{double}</button>;
}

class Menu extends React.Component {
  state = { open: false, accessToken: "s3cr3t-value" };
  render() {
    return <button data-testid="class" onClick={() => this.setState({ open: true })}>Menu</button>;
  }
}

mount(<div><Counter start={2} /><Menu /></div>, document.querySelector("#app"));
