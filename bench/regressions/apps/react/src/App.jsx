import { useEffect, useRef } from "react";
import { api } from "./api.js";
import { ErrorBoundary } from "./ErrorBoundary.jsx";
import { useWords } from "./i18n.js";
import { useLive } from "./live.js";
import { ReportPage } from "./pages/ReportPage.jsx";
import { TaskForm } from "./pages/TaskForm.jsx";
import { TaskList } from "./pages/TaskList.jsx";
import { TaskPage } from "./pages/TaskPage.jsx";
import { Link, useAddress } from "./router.jsx";
import { chooseLanguage, chooseZone, signIn, useNotices, useSession, useSettings, useToast } from "./stores.js";

export function App() {
  const address = useAddress();
  const main = useFocusOf(address.pathname);
  useLive();
  useEffect(() => {
    api("GET", "/api/session").then((session) => useSession.setState(session));
  }, []);
  return (
    <>
      <Header />
      <main ref={main} tabIndex={-1}>
        <ErrorBoundary key={address.pathname}>
          <Page address={address} />
        </ErrorBoundary>
      </main>
      <Toast />
    </>
  );
}

/** A new page takes the focus, so that nobody on a keyboard is left where nothing is any more. */
function useFocusOf(pathname) {
  const element = useRef(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current !== pathname) element.current.focus();
    last.current = pathname;
  }, [pathname]);
  return element;
}

function Page({ address }) {
  const { t } = useWords();
  const [, area, id, what] = address.pathname.split("/");
  if (area === "" || (area === "tasks" && !id)) return <TaskList search={address.searchParams} />;
  if (area === "tasks" && id === "new") return <TaskForm />;
  if (area === "tasks" && what === "edit") return <TaskForm id={Number(id)} />;
  if (area === "tasks") return <TaskPage id={Number(id)} />;
  if (area === "report") return <ReportPage month={address.searchParams.get("month") ?? "2026-01"} />;
  return <h1>{t("notFound")}</h1>;
}

function Header() {
  const { t } = useWords();
  const settings = useSettings();
  const session = useSession();
  const notices = useNotices();
  return (
    <header>
      <nav>
        <Link to="/tasks">{t("tasks")}</Link>
        <Link to="/report">{t("report")}</Link>
        <Choice label={t("user")} value={session.id ?? ""} onChoose={signIn}
          options={[["ana", "Ana"], ["ben", "Ben"], ["vera", "Vera"]]} />
        <Choice label={t("language")} value={settings.language} onChoose={chooseLanguage}
          options={[["en", "English"], ["de", "Deutsch"]]} />
        <Choice label={t("zone")} value={settings.zone} onChoose={chooseZone}
          options={[["UTC", "UTC"], ["Asia/Tokyo", "Tokyo"], ["America/New_York", "New York"]]} />
        {notices.unread > 0 && <span data-testid="notices">{t("notices", { n: notices.unread })}</span>}
      </nav>
    </header>
  );
}

function Choice({ label, value, options, onChoose }) {
  return (
    <label>
      {label}{" "}
      <select value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([key, name]) => <option key={key} value={key}>{name}</option>)}
      </select>
    </label>
  );
}

function Toast() {
  const { words, kind } = useToast();
  return (
    <div role={kind} className={words ? `toast ${kind}` : ""}>
      {words}
    </div>
  );
}
