/*
 * Where elements are written, of the development builds of real frameworks in a real Chromium: the line that the page
 * script tells is the line where the element stands in its file.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { go, inChromium, lab, link, show } from "./tab.mjs";

const FOLDER = fileURLToPath(new URL("./frameworks/", import.meta.url));
const near = createRequire(`${FOLDER}package.json`);
const { SourceMapConsumer } = near("source-map-js");

/** The line, from 1, on which a text stands in a source file. */
function lineOf(file, text) {
  const lines = readFileSync(`${FOLDER}source/${file}`, "utf-8").split("\n");
  const found = lines.flatMap((line, index) => (line.includes(text) ? [index + 1] : []));
  assert.equal(found.length, 1, `${text} stands once in ${file}`);
  return found[0];
}

/** Show an app, and wait until it is there. */
async function showApp(name) {
  const script = `${FOLDER}dist/source/${name}.js`;
  const type = { "content-type": "text/javascript" };
  lab.pages.set(`/built/${name}.js`, (request, response) => response.writeHead(200, type).end(readFileSync(script)));
  const host = name.startsWith("angular") ? "<app-cart></app-cart>" : "<div id=app></div>";
  await show(`/${name}`, `${host}<script src="/built/${name}.js"></script>`);
}

/** What the page tells of the element with a test id. */
async function told(testid) {
  const { elements } = await link.matched({ by: "testid", value: testid });
  const inspected = await link.ask("inspect", { ref: elements[0].ref });
  assert.equal(inspected.source, elements[0].source);
  return { ...inspected, stack: inspected.component && inspected.component.componentStack };
}

/** The end of a place: file name and line. */
const short = (source) => /([^/:]+:\d+)(?::\d+)?$/.exec(source)[1];

/** Where a frame's place stood before it was built, by another reader of source maps than ours. */
function undone(script, [, line, column]) {
  const text = readFileSync(`${FOLDER}dist/source/${script}.js`, "utf-8");
  const inline = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(text);
  const map = inline ? Buffer.from(inline[1], "base64").toString() : readFileSync(`${FOLDER}dist/source/${script}.js.map`, "utf-8");
  const found = new SourceMapConsumer(JSON.parse(map)).originalPositionFor({ line, column: column - 1 });
  return `${found.source.split("/").pop()}:${found.line}`;
}

const ELEMENTS = {
  price: ["<b data-testid=", ["Price", "Row", "Cart"]],
  "row-tea": ["<li data-testid=", ["Row", "Cart"]],
  pay: ["<button data-testid=", ["Cart"]],
  cart: ["<section data-testid=", ["Cart"]],
};

inChromium("places in the code of development builds", () => {
  for (const version of [16, 17, 18]) {
    test(`React ${version} tells the line of each element and the names around it, through memo and forwardRef.`, async () => {
      await showApp(`react${version}`);
      for (const [testid, [text, stack]] of Object.entries(ELEMENTS)) {
        const found = await told(testid);
        assert.deepEqual([short(found.source), found.stack, found.frames], [`react.jsx:${lineOf("react.jsx", text)}`, stack, undefined]);
      }
      const field = await told("field");
      assert.deepEqual([short(field.source), field.stack], [`react.jsx:${lineOf("react.jsx", "<input data-testid=")}`, ["FieldOfCart", "Cart"]]);
    });
  }

  for (const script of ["react19", "react19-inline"]) {
    test(`React 19 tells the place in the running script, and its source map leads to the line (${script}).`, async () => {
      await showApp(script);
      for (const [testid, [text, stack]] of Object.entries(ELEMENTS)) {
        const found = await told(testid);
        const first = found.frames.find((frame) => !/node_modules|jsx-/.test(undone(script, frame)));
        assert.deepEqual([undone(script, first), found.stack], [`react.jsx:${lineOf("react.jsx", text)}`, stack]);
        assert.equal(first, found.frames[0]);
        assert.equal(first[3], readFileSync(`${FOLDER}dist/source/${script}.js`).length);
      }
    });
  }

  test("An error that the app reports is placed in the running script too.", async () => {
    await showApp("react19");
    await link.matched({ by: "testid", value: "pay" });
    const answer = await link.act("click", { testid: "pay" });
    assert.equal(answer.error ?? "", "");
    const error = await link.event("console.error", ({ message }) => message.includes("cannot pay"));
    assert.equal(undone("react19", error.data.frames[0]), `react.jsx:${lineOf("react.jsx", "console.error(")}`);
  });

  test("Preact tells the line of each element and the names around it.", async () => {
    await showApp("preact");
    for (const [testid, [text, stack]] of Object.entries(ELEMENTS)) {
      const found = await told(testid);
      assert.deepEqual([short(found.source), found.stack], [`preact.jsx:${lineOf("preact.jsx", text)}`, stack]);
    }
  });

  test("Vue tells the file, without a line, and the names around it.", async () => {
    await showApp("vue");
    const [price, pay] = [await told("price"), await told("pay")];
    assert.deepEqual([price.source, price.stack], [`${FOLDER}source/Price.vue`, ["Price", "Cart"]]);
    assert.deepEqual([pay.source, pay.stack], [`${FOLDER}source/Cart.vue`, ["Cart"]]);
  });

  test("Svelte tells the line of each element and the names around it.", async () => {
    await showApp("svelte");
    const [price, pay] = [await told("price"), await told("pay")];
    assert.deepEqual([short(price.source), price.stack], [`Price.svelte:${lineOf("Price.svelte", "<b data-testid=")}`, ["Price", "Cart"]]);
    assert.deepEqual([short(pay.source), pay.stack], [`Cart.svelte:${lineOf("Cart.svelte", "<button data-testid=")}`, ["Cart"]]);
  });

  test("Angular tells the line of the component's class, and the names around it.", async () => {
    await showApp("angular");
    const [price, pay] = [await told("price"), await told("pay")];
    assert.deepEqual([price.source, price.stack], [`angular/main.ts:${lineOf("angular/main.ts", "export class Price")}`, ["Price", "Cart"]]);
    assert.deepEqual([pay.source, pay.stack], [`angular/main.ts:${lineOf("angular/main.ts", "export class Cart")}`, ["Cart"]]);
  });

  test("Angular with places in its templates tells the line of each element.", async () => {
    await showApp("angular-located");
    for (const [testid, text] of [["price", "<b data-testid="], ["pay", "<button data-testid="]]) {
      assert.equal(short((await told(testid)).source), `main.ts:${lineOf("angular/main.ts", text)}`);
    }
  });

  test("A custom element lends its tag to what is in it, and tells no place.", async () => {
    await show("/custom", `<my-card></my-card><x-unknown><button data-testid=out>Out</button></x-unknown><script>
      customElements.define("my-card", class extends HTMLElement {
        constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = "<button data-testid=in>In</button>" }
      })</script>`);
    const [inner, outer] = [await told("in"), await told("out")];
    assert.deepEqual([inner.stack, inner.source, outer.stack, outer.source], [["my-card"], undefined, undefined, undefined]);
  });

  describe("of Vite's development server", () => {
    let server;
    let origin;

    before(async () => {
      const load = async (name, inside) => (await import(pathToFileURL(near.resolve(name, inside)).href)).default;
      const { createServer } = await import(pathToFileURL(`${FOLDER}node_modules/vite/dist/node/index.js`).href);
      const page = (entry) => `<!doctype html><script src="${lab.origin}/sdk.js" data-project="lab"></script><div id=app></div><script type=module src="/${entry}"></script>`;
      const pages = {
        name: "pages",
        configureServer: (vite) => {
          vite.middlewares.use(async (request, response, next) => {
            const entry = { "/react": "react.jsx", "/vue": "vue.js" }[request.url];
            if (!entry) return next();
            const html = await vite.transformIndexHtml(request.url, page(entry));
            return response.writeHead(200, { "content-type": "text/html" }).end(html);
          });
        },
      };
      server = await createServer({
        root: `${FOLDER}source`,
        configFile: false,
        appType: "custom",
        logLevel: "error",
        cacheDir: `${FOLDER}dist/.vite`,
        server: { host: "127.0.0.1", port: 0, hmr: false, ws: false, watch: null },
        resolve: { alias: { "mount-react": `${FOLDER}source/mount-react-18.js` } },
        plugins: [pages, (await load("@vitejs/plugin-react"))(), (await load("vite-plugin-vue-inspector"))({ enabled: true }), (await load("@vitejs/plugin-vue"))()],
      });
      await server.listen();
      origin = `http://127.0.0.1:${server.httpServer.address().port}`;
    });
    after(() => server && server.close());

    test("React 19 tells the module as the page loaded it, whose own map leads to the line.", async () => {
      await go(`${origin}/react`);
      for (const [testid, [text, stack]] of Object.entries(ELEMENTS)) {
        const found = await told(testid);
        const [address, line, column, bytes] = found.frames[0];
        const module = await (await fetch(address)).text();
        const map = JSON.parse(Buffer.from(/sourceMappingURL=data:application\/json;base64,(\S+)/.exec(module)[1], "base64").toString());
        const original = new SourceMapConsumer(map).originalPositionFor({ line, column: column - 1 });
        assert.deepEqual([original.line, found.stack], [lineOf("react.jsx", text), stack]);
        assert.ok(address.startsWith(`${origin}/react.jsx`));
        assert.ok(bytes === undefined || bytes === Buffer.byteLength(module), `${bytes}`);
      }
    });

    test("Vue with its inspector's plugin tells the line of each element.", async () => {
      await go(`${origin}/vue`);
      assert.equal(short((await told("price")).source), `Price.vue:${lineOf("Price.vue", "<b data-testid=")}`);
      assert.equal(short((await told("pay")).source), `Cart.vue:${lineOf("Cart.vue", "<button data-testid=")}`);
    });
  });
});
