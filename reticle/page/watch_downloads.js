/*
 * `download`: links with a `download` attribute that are followed, with what is known of the file.
 */

/** blob: URL → what it stands for; the oldest are forgotten. */
const blobs = new Map();

function observeObjectUrl(self, [object]) {
  return {
    returned(url) {
      if (object && typeof object.size === "number") {
        blobs.set(url, { mimeType: String(object.type || ""), bytes: object.size });
        if (blobs.size > LIMIT.BLOB_URLS) blobs.delete(blobs.keys().next().value);
      }
      return url;
    },
  };
}

/** What a link downloads. */
function downloadFacts(link) {
  const url = link.href;
  const facts = { filename: link.getAttribute("download") || undefined, url: redactUrl(url) };
  const inline = /^data:([^;,]*)((?:;[^;,]*)*),([\s\S]*)$/i.exec(url);
  if (inline) {
    const [, mimeType, parameters, content] = inline;
    const padding = (/=*$/.exec(content) || [""])[0].length;
    facts.mimeType = mimeType || "text/plain";
    facts.bytes = /;base64/i.test(parameters) ? Math.floor((content.length * 3) / 4) - padding : byteLength(content);
  } else if (blobs.has(url)) Object.assign(facts, blobs.get(url));
  else if (!url.startsWith("blob:") && !facts.filename) {
    facts.filename = attempt("download", () => decodeURIComponent(new URL(url).pathname.split("/").pop())) || undefined;
  }
  for (const [key, value] of Object.entries(facts)) if (value === undefined) delete facts[key];
  return facts;
}

/** Bytes of a percent-encoded text. */
function byteLength(content) {
  return content.replace(/%[0-9a-f]{2}/gi, "x").length;
}

function downloadLink(node) {
  const link = isElement(node) && node.closest("a[download], area[download]");
  return link && link.href ? link : null;
}

/** A click on a link in the page; whether it is followed is known when every listener has run. */
function observeClick(event) {
  const link = downloadLink(event.composedPath()[0]);
  if (!link) return;
  const facts = downloadFacts(link);
  const written = callerWritten();
  soon(() => {
    if (!event.defaultPrevented) emit(EVENT.DOWNLOAD, { ...facts, ...written });
  });
}

/** A link that is not in the page: its clicks come by no document. */
function observeDetached(link) {
  if (!isElement(link) || link.isConnected || !downloadLink(link)) return undefined;
  const facts = downloadFacts(link);
  const written = callerWritten();
  return {
    returned(result) {
      // dispatchEvent answers false when the default was prevented
      if (result !== false) emit(EVENT.DOWNLOAD, { ...facts, ...written });
      return result;
    },
  };
}

function startDownloadWatch() {
  replaceFunction(window.URL, "createObjectURL", "download", observeObjectUrl);
  listen(window, "click", "download", observeClick);
  replaceFunction(window.HTMLElement.prototype, "click", "download", observeDetached);
  // only on links, because everything on a page dispatches events
  observeInherited(window.HTMLAnchorElement.prototype, window.EventTarget.prototype, "dispatchEvent", "download", (link, [event]) =>
    event && event.type === "click" ? observeDetached(link) : undefined,
  );
}
