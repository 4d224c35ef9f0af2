/*
 * The corpus: small pages of our own, several in one file, each behind a line `<!-- page: title -->`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

const FOLDER = new URL("./corpus/", import.meta.url);
const BEGINNING = /^<!-- page: (.+) -->$/m;

/** @returns {{title: string, html: string}[]} */
export function corpus() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".html")).sort();
  return files.flatMap((file) => {
    const [, ...parts] = readFileSync(new URL(file, FOLDER), "utf-8").split(BEGINNING);
    const pages = [];
    for (let index = 0; index < parts.length; index += 2) {
      pages.push({ title: `${file.replace(".html", "")}: ${parts[index]}`, html: parts[index + 1].trim() });
    }
    return pages;
  });
}

/** Serve them on loopback, each under its number. */
export async function serve(pages) {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>';
  const server = createServer((request, response) => {
    const page = pages[Number(request.url.slice(1))];
    if (page) {
      const title = page.title.replaceAll('"', "");
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(`<!doctype html><html lang="en"><head><title>${title}</title></head><body>\n${page.html}\n</body></html>`);
    } else if (request.url === "/x.png") response.writeHead(200, { "content-type": "image/svg+xml" }).end(picture);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((resolve) => server.closeAllConnections() || server.close(resolve)) };
}
