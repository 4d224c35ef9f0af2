/*
 * Ways by which something may come to the app that no part of this script sees begin: modules fetched by `import()`,
 * peers, decoders, other tabs. While one of them is in use, that nothing more comes is not known but only waited for.
 * (Workers, frames of other origins and closed shadow roots are blind spots; sockets and event sources: watch_streams.js.)
 */

const unseenWays = (() => {
  /** What the app has used since the document began. @type {Set<string>} */
  const used = new Set();

  const noting = (way) => () => {
    used.add(way);
  };

  /** Constructors by way; what they make goes on by itself. */
  const MAKERS = {
    peer: ["RTCPeerConnection", "webkitRTCPeerConnection"],
    transport: ["WebTransport", "WebSocketStream"],
    codec: ["AudioDecoder", "AudioEncoder", "ImageDecoder", "VideoDecoder", "VideoEncoder"],
    audio: ["AudioContext", "webkitAudioContext"],
    speech: ["SpeechRecognition", "webkitSpeechRecognition"],
    channel: ["BroadcastChannel"],
    payment: ["PaymentRequest"],
    notice: ["Notification"],
    recorder: ["MediaRecorder"],
  };

  /** Owners and functions by way; `prototype` of a class, or the object itself. */
  const callers = (view) => {
    const of = (name) => view[name] && view[name].prototype;
    return [
      ["speech", of("SpeechSynthesis"), ["getVoices", "speak"]],
      ["location", of("Geolocation"), ["getCurrentPosition", "watchPosition"]],
      ["atomics", view.Atomics, ["waitAsync"]],
      ["device", of("Bluetooth"), ["getDevices", "requestDevice"]],
      ["device", of("USB"), ["getDevices", "requestDevice"]],
      ["device", of("HID"), ["getDevices", "requestDevice"]],
      ["device", of("Serial"), ["getPorts", "requestPort"]],
      ["device", of("Navigator"), ["requestMIDIAccess"]],
      ["device", of("Sensor"), ["start"]],
      ["video", of("HTMLVideoElement"), ["requestVideoFrameCallback"]],
      ["later", view, ["fetchLater"]],
    ];
  };

  /** Whether the app may ask for modules with `import()`, of which only the end is told. */
  function mayImport() {
    if (document.querySelector('script[type="module" i], script[type="importmap" i], link[rel~="modulepreload" i]')) return true;
    // browsers that know import() have this
    if (!window.performance || !window.performance.getEntriesByType) return false;
    const known = new Set(Array.from(document.scripts, (script) => script.src));
    const entries = window.performance.getEntriesByType("resource");
    return entries.some(({ initiatorType, name }) => (initiatorType === "script" || initiatorType === "other") && /\.m?js\b/.test(name) && !known.has(name));
  }

  /**
   * Whether a window that is not ours may send messages: of the page around this one, of the one that opened it, of an object
   * or an embedded page (those that this page opened are noted: openings.js).
   */
  function mayBeTold() {
    if (window.parent !== window || (window.opener !== null && window.opener !== undefined)) return true;
    const isForeign = (object) => Boolean(object.contentWindow) && frameDocument(object) === null;
    return document.getElementsByTagName("embed").length > 0 || Array.from(document.getElementsByTagName("object")).some(isForeign);
  }

  /** An observer that is told of what shows after a time of its own. */
  function observeSight(self, [, options]) {
    if (plainOption(options, "delay") || plainOption(options, "trackVisibility")) used.add("sight");
  }

  /** What a folder has is told by an iterator, whose steps are not seen; one function has two names. */
  function watchFolders(view) {
    const folder = view.FileSystemDirectoryHandle && view.FileSystemDirectoryHandle.prototype;
    for (const name of ["keys", "values", "entries"]) replaceFunction(folder, name, "unseen", noting("files"));
    const found = folder && Object.getOwnPropertyDescriptor(folder, Symbol.asyncIterator);
    if (found) Object.defineProperty(folder, Symbol.asyncIterator, { ...found, value: folder.entries });
  }

  /** Motions of which the page is told over and over: rounds of an endless animation, and SVG's own. */
  function movesOn() {
    return motionAndLoads.isEndless() || document.querySelector("animate, animateMotion, animateTransform, set") !== null;
  }

  return {
    /** Another part saw one used. */
    note: (way) => used.add(way),
    /** Follow what is used in a window: this one, or that of a frame of this origin. */
    watch(view) {
      for (const [way, names] of Object.entries(MAKERS)) {
        const [first, ...others] = names;
        const original = view[first];
        replaceFunction(view, first, "unseen", noting(way), true);
        for (const name of others) {
          // another name of the same class stays one
          const found = Object.getOwnPropertyDescriptor(view, name);
          if (found && found.value === original) Object.defineProperty(view, name, { ...found, value: view[first] });
          else replaceFunction(view, name, "unseen", noting(way), true);
        }
      }
      replaceFunction(view, "IntersectionObserver", "unseen", observeSight, true);
      watchFolders(view);
      for (const [way, owner, names] of callers(view)) for (const name of names) replaceFunction(owner, name, "unseen", noting(way));
    },
    /** The names of those in use, in a steady order. */
    names() {
      const found = new Set(used);
      if (mayImport()) found.add("modules");
      if (mayBeTold()) found.add("window");
      if (movesOn()) found.add("motion");
      return [...found].sort();
    },
  };
})();
