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
    channel = { send: window[binding], receive: undefined };
    delete window[binding];
    const open = (said, ...message) => {
      if (said !== word) return undefined;
      if (message.length === 0) return channel;
      if (channel.receive) channel.receive(...message);
      return undefined;
    };
    Object.defineProperty(window, door, { value: open });
  } else if (Object.prototype.hasOwnProperty.call(window, door)) {
    // the first document after the empty one that a window begins with: same origin, same global object
    channel = window[door](word);
  }
  if (!channel) return;
  const run = () => script({ ...about, channel });
  // mostly the page itself follows at once, perhaps in this very window; what is written into an empty one is seen late
  if (window.location.href === "about:blank") window.setTimeout(run, 50);
  else run();
})