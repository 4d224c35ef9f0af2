import { Fragment, render } from "preact";
import { useState } from "preact/hooks";

function Price({ cents }) {
  return <b data-testid="price">{cents / 100}</b>;
}

const Row = ({ name }) => (
  <>
    <li data-testid={`row-${name}`}>
      <Price cents={1250} />
    </li>
  </>
);

function Cart() {
  const [paid, setPaid] = useState(0);
  return (
    <section data-testid="cart">
      <Row name="tea" />
      <button data-testid="pay" onClick={() => setPaid(paid + 1)}>
        Pay {paid}
      </button>
    </section>
  );
}

render(<Cart />, document.getElementById("app"));
