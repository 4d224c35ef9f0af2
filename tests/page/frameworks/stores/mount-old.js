import ReactDOM from "react-dom";

export const mount = (element, container) => ReactDOM.render(element, container);
