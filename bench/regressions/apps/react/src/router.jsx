/** Addresses: the history of the browser as a store. */
import { useSyncExternalStore } from "react";

const listeners = new Set();
const changed = () => listeners.forEach((listener) => listener());
window.addEventListener("popstate", changed);

function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const here = () => location.pathname + location.search;

export function useAddress() {
  return new URL(useSyncExternalStore(subscribe, here), location.origin);
}

export function go(to) {
  history.pushState(null, "", to);
  changed();
}

export function replace(to) {
  history.replaceState(null, "", to);
  changed();
}

export function Link({ to, children, ...rest }) {
  const follow = (event) => {
    event.preventDefault();
    go(to);
  };
  return <a href={to} onClick={follow} {...rest}>{children}</a>;
}
