import { useEffect, useState } from "react";
import { api } from "../api.js";
import { useWords } from "../i18n.js";
import { replace } from "../router.jsx";

const MONTHS = ["2026-01", "2026-02", "2026-03"];
const known = new Map();

/** Months that are over do not change, so each is asked for once. */
async function reportOf(month) {
  if (!known.has(month)) known.set(month, await api("GET", `/api/report?month=${month}`));
  return known.get(month);
}

export function ReportPage({ month }) {
  const { t, money, hours } = useWords();
  const [report, setReport] = useState({ month, rows: [] });

  useEffect(() => {
    let stale = false;
    reportOf(month).then((found) => !stale && setReport(found));
    return () => {
      stale = true;
    };
  }, [month]);

  const minutes = report.rows.reduce((sum, row) => sum + row.minutes, 0);
  const cents = report.rows.reduce((sum, row) => sum + row.cents, 0);
  return (
    <>
      <h1>{t("report")}</h1>
      <label>
        {t("month")}{" "}
        <select value={month} onChange={(event) => replace(`/report?month=${event.target.value}`)}>
          {MONTHS.map((one) => <option key={one}>{one}</option>)}
        </select>
      </label>
      <table>
        <thead>
          <tr><th>{t("person")}</th><th>{t("hours")}</th><th>{t("cost")}</th><th>%</th></tr>
        </thead>
        <tbody>
          {report.rows.map((row) => (
            <tr key={row.person} data-testid={`row-${row.person}`}>
              <td>{row.name}</td>
              <td>{hours(row.minutes)}</td>
              <td>{money(row.cents)}</td>
              <td><Bar part={row.minutes / minutes} /></td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th>{t("total")}</th>
            <td data-testid="total-hours">{hours(minutes)}</td>
            <td data-testid="total-cost">{money(cents)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </>
  );
}

function Bar({ part }) {
  const percent = Math.round(part * 100);
  return (
    <div className="bar" role="meter" aria-label="share" aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100} style={{ width: "8rem" }}>
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}
