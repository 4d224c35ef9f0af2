/** Moments in the chosen time zone. */

export const zone = () => localStorage.getItem("zone") ?? "UTC";

export const setZone = (name) => localStorage.setItem("zone", name);

const parts = (moment, options) => new Date(moment).toLocaleString("sv-SE", { timeZone: zone(), ...options });

/** `2026-03-01 00:30` */
export const shownTime = (moment) => parts(moment, { dateStyle: "short", timeStyle: "short" });

/** `2026-03-01` */
export const shownDay = (moment) => parts(moment, { dateStyle: "short" });
