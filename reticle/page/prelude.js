/*
 * What stands around the script in a page that the daemon opened itself. It takes the browser's way out (a binding
 * that every script could call) from the window before any script of the app runs, and leaves a way in that only
 * the daemon has the word for. The rest of the file is put behind it as the call's arguments.
 */
(function launch(given, script) {
  "use strict";
  const { binding, door, word, ...about } = given;
  let channel;
  if (Object.prototype.hasOwnProperty.call(window, binding)) {
    // what it has is its own: nothing that the app puts into Object.prototype is asked
    channel = { __proto__: null, send: window[binding], receive: undefined, again: undefined };
    delete window[binding];
    const open = (said, text, code, reason) => {
      if (said !== word) return undefined;
      if (text === undefined && code === undefined) return channel;
      if (channel.receive) channel.receive(text, code, reason);
      return undefined;
    };
    Object.defineProperty(window, door, { value: open });
  } else if (Object.prototype.hasOwnProperty.call(window, door)) {
    // the first document after the empty one that a window begins with: same origin, same global object
    channel = window[door](word);
  }
  if (!channel) return;
  const runs = () => Object.prototype.hasOwnProperty.call(window, "__reticle__");
  const run = () => script({ ...about, channel });
  if (runs()) {
    if (channel.again) channel.again();
    return;
  }
  // A window begins with an empty document, and the page that follows may come in this very window: so wait for what
  // an opener writes into it. In a frame the page around it sees that.
  const isUnused = () => window.location.href === "about:blank" && !(document.body && document.body.firstChild);
  const look = (delay) => {
    if (runs()) return;
    if (isUnused()) window.setTimeout(look, delay, Math.min(delay * 2, 1000));
    else run();
  };
  if (!isUnused()) run();
  else if (window.parent === window) window.setTimeout(look, 50, 100);
})