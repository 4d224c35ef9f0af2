/*
 * A Playwright script beside the daemon: the same journeys on the same builds, with the assertions that a good
 * engineer writes for the same description. One JSON object per line comes in and one goes out.
 *
 *     in:  {id, url, start, before, act, check, timeoutMs}
 *     out: {id, passed, ms, why}
 *
 * `check` is the body of an async function of `page`, `see`, `seen`: `see` waits, `seen` is what was recorded.
 */
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const ACTS = {
  click: (locator) => locator.click(),
  dblclick: (locator) => locator.dblclick(),
  hover: (locator) => locator.hover(),
  fill: (locator, { value }) => locator.fill(value),
  type: (locator, { text }) => locator.pressSequentially(text),
  clear: (locator) => locator.clear(),
  press: (locator, { key }) => locator.press(key),
  select: (locator, { value }) => locator.selectOption(value),
  check: (locator) => locator.check(),
  uncheck: (locator) => locator.uncheck(),
  focus: (locator) => locator.focus(),
  blur: (locator) => locator.blur(),
  scrollIntoView: (locator) => locator.scrollIntoViewIfNeeded(),
  submit: (locator) => locator.evaluate((form) => form.requestSubmit()),
};

/** The element that a target of `reticle_act` names. */
function locate(page, { role, name, text, label, placeholder, testid }) {
  if (role) return page.getByRole(role, name === undefined ? {} : { name, exact: true });
  if (label) return page.getByLabel(label, { exact: true });
  if (testid) return page.getByTestId(testid);
  if (placeholder) return page.getByPlaceholder(placeholder, { exact: true });
  return page.getByText(text, { exact: true });
}

/** Waiting for what must be so. */
function sight(page, timeout) {
  const eventually = async (holds, what) => {
    const end = performance.now() + timeout;
    for (;;) {
      const value = await holds();
      if (value) return value;
      if (performance.now() > end) throw new Error(`not within ${timeout} ms: ${what}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  return {
    eventually,
    visible: (locator) => locator.first().waitFor({ state: "visible", timeout }),
    hidden: (locator) => locator.first().waitFor({ state: "hidden", timeout }),
    text: (words) => page.getByText(words).first().waitFor({ state: "visible", timeout }),
    reads: (locator, words) => eventually(async () => (await locator.first().textContent())?.trim() === words, `"${words}"`),
    count: (locator, count) => eventually(async () => (await locator.count()) === count, `${count} of them`),
    url: (part) => eventually(() => page.url().includes(part), `the address has ${part}`),
  };
}

/** What the page did since the act: answers and errors. */
function record(page) {
  const seen = { responses: [], errors: [], sent: [], downloads: [] };
  page.on("request", (request) => seen.sent.push({ method: request.method(), url: request.url(), body: request.postData() }));
  page.on("response", (response) => {
    seen.responses.push({ method: response.request().method(), url: response.url(), status: response.status(), response });
  });
  page.on("download", (file) => seen.downloads.push(file.suggestedFilename()));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("pageerror", (error) => seen.errors.push(error.message));
  seen.answers = (method, part) => seen.responses.filter((one) => one.method === method && one.url.includes(part));
  return seen;
}

/** Nothing was asked for 150 ms that is not answered: what a step leads to is there before the next one. */
function watchRest(page) {
  const open = new Set();
  let last = performance.now();
  const began = (request) => ["fetch", "xhr"].includes(request.resourceType()) && open.add(request);
  const ended = (request) => open.delete(request);
  for (const event of ["request", "requestfinished", "requestfailed"]) page.on(event, () => (last = performance.now()));
  page.on("request", began);
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return async () => {
    const end = performance.now() + 3000;
    last = performance.now();
    while (performance.now() < end && (open.size || performance.now() - last < 150)) await page.waitForTimeout(20);
  };
}

const AsyncFunction = (async () => {}).constructor;

async function run(browser, { id, url, start, before, act, check, timeoutMs }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.on("dialog", (dialog) => dialog.accept());
  const rest = watchRest(page);
  let begun = performance.now();
  try {
    page.setDefaultTimeout(timeoutMs);
    await page.goto(url + start);
    await rest();
    const step = ({ action, target, args }) => ACTS[action](locate(page, target), args ?? {});
    for (const each of before) {
      await step(each);
      await rest();
    }
    const seen = record(page);
    begun = performance.now();
    await step(act);
    await new AsyncFunction("page", "see", "seen", check)(page, sight(page, timeoutMs), seen);
    return { id, passed: true, ms: performance.now() - begun, why: "" };
  } catch (error) {
    return { id, passed: false, ms: performance.now() - begun, why: String(error.message).slice(0, 300) };
  } finally {
    await context.close();
  }
}

const browser = await chromium.launch({
  executablePath: process.env.RETICLE_CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim()) process.stdout.write(`${JSON.stringify(await run(browser, JSON.parse(line)))}\n`);
}
await browser.close();
