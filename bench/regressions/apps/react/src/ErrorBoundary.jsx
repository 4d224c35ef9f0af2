import { Component } from "react";
import { translate } from "./i18n.js";
import { useSettings } from "./stores.js";

/** Keeps a part that fails from taking the page with it. */
export class ErrorBoundary extends Component {
  state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  render() {
    if (!this.state.failed) return this.props.children;
    return <p role="alert">{translate(useSettings.getState().language, "broken")}</p>;
  }
}
