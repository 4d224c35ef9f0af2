import htmx from "htmx-2";

window.htmx = htmx;
