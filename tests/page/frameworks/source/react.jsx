import React, { forwardRef, memo } from "react";
import { mount } from "mount-react";

function Price({ cents }) {
  return <b data-testid="price">{cents / 100}</b>;
}

function Row({ name }) {
  return (
    <li data-testid={`row-${name}`}>
      <Price cents={1250} />
    </li>
  );
}

const SameRow = memo(Row);

const Field = forwardRef(function FieldOfCart(properties, ref) {
  return <input data-testid="field" ref={ref} {...properties} />;
});

class Cart extends React.Component {
  render() {
    return (
      <section data-testid="cart">
        <SameRow name="tea" />
        <Field aria-label="Amount" />
        <button data-testid="pay" onClick={() => pay(this.props.total)}>
          Check
        </button>
      </section>
    );
  }
}

function pay(total) {
  console.error(`cannot pay ${total}`);
}

mount(<Cart total={3} />, document.getElementById("app"));
