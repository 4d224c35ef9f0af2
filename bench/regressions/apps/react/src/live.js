/** What others do, as it happens. */
import { useEffect } from "react";
import { putTask, useNotices } from "./stores.js";

export function useLive() {
  useEffect(() => {
    const source = new EventSource("/api/live");
    source.addEventListener("task", (event) => {
      putTask(JSON.parse(event.data));
    });
    source.addEventListener("notice", (event) => {
      const last = JSON.parse(event.data);
      useNotices.setState((state) => ({ unread: state.unread + 1, last }));
    });
    return () => source.close();
  }, []);
}
