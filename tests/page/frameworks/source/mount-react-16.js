/* How React 16 and 17 show something. */
import { render } from "react-dom";

export function mount(node, place) {
  render(node, place);
}
