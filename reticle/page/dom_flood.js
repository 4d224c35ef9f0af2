/*
 * What a flood of changes in the document may cost the app while nobody asks: there is room for so many, which comes
 * back with time. When it is used up the document is looked at for a moment in each second only. That is declared as
 * a loss until it is quieter or a command comes; then everything is looked at again.
 */

/** How much is a flood, and how long somebody asks. */
const FLOOD = Object.freeze({
  /** Changes of a page that nobody asks about which are looked at: at once, and in each second. */
  ROOM: 1000,
  PER_SECOND: 200,
  /** Room when a flood is over. */
  ROOM_AGAIN: 200,
  /** In a flood the document is looked at, and the loss declared, once in this time. */
  LOOK_MS: 1000,
  /** Somebody asks for so long after each command: an agent thinks between two. */
  ASKED_MS: 60000,
});

/** What the document's observer looks at. */
const EVERYTHING = {
  subtree: true,
  childList: true,
  characterData: true,
  characterDataOldValue: true,
  attributes: true,
  attributeOldValue: true,
};
/** In a flood: only what may once have been a field for a password. */
const SECRETS_ALONE = { subtree: true, attributes: true, attributeOldValue: true, attributeFilter: ["type"] };

/** What is lost in a flood. */
const FLOODED = [EVENT.DOM_ADDED, EVENT.DOM_REMOVED, EVENT.DOM_TEXT, EVENT.DOM_ATTR, EVENT.VISIBLE_SHOWN];

const domFlood = {
  /** Changes that may still be looked at. */
  room: FLOOD.ROOM,
  /** When `room` was last reckoned, in the clock of `native.now`. */
  reckonedAt: startedAt,
  /** Whether there is a flood. */
  running: false,
  /** Changes that were counted in this second. */
  counted: 0,
  /** Whether they are counted from its beginning. */
  isLooking: false,
  timer: undefined,
  /** Event type → how many of what would have been told were counted, at least, since that was last declared. */
  lost: new Map(),

  /** A command came: from now on everything is looked at for a while. */
  asked() {
    askedUntil = native.now() + FLOOD.ASKED_MS;
    if (!this.running) return;
    takeRecords();
    this.end();
  },

  /** Whether so many changes are only to be counted. */
  takesOver(count) {
    if (this.running) return true;
    const now = native.now();
    if (now < askedUntil || activity.running > 0) return false;
    this.room = Math.min(FLOOD.ROOM, this.room + ((now - this.reckonedAt) / 1000) * FLOOD.PER_SECOND);
    this.reckonedAt = now;
    // what one batch can cost is bounded already, so that a large one of a quiet page is looked at
    const needed = Math.min(count, LIMIT.DOM_BATCH);
    this.running = this.room < needed;
    this.room = Math.max(0, this.room - needed);
    return this.running;
  },

  /** Count changes by the event that each would have been. Frames and secrets are looked for all the same. */
  count(records) {
    for (let index = 0; index < records.length; index += 1) {
      const record = records[index];
      if (record.type === "attributes") {
        const name = record.attributeName;
        if (name === "type") notePasswordBefore(record.target, record.oldValue);
        if (isWatchedAttribute(name)) this.lose(EVENT.DOM_ATTR, 1);
      } else if (record.type === "characterData") this.lose(EVENT.DOM_TEXT, 1);
      else this.countChildren(record);
    }
    this.lose(EVENT.VISIBLE_SHOWN, records.length); // nobody looked whether a message for the user was among them
    this.counted += records.length;
    if (this.timer === undefined) this.begin();
    else if (this.counted >= FLOOD.PER_SECOND) observeDocument(SECRETS_ALONE);
  },

  countChildren(record) {
    const [first] = record.addedNodes;
    if (!first) this.lose(EVENT.DOM_REMOVED, 1);
    else if (first.nodeType === 3) this.lose(EVENT.DOM_TEXT, 1);
    else {
      this.lose(EVENT.DOM_ADDED, 1);
      meetFrames([record]);
    }
  },

  begin() {
    this.declare();
    observeDocument(SECRETS_ALONE);
    this.wait();
  },

  wait() {
    this.timer = native.setTimeout(() => attempt("flood", () => this.look()), FLOOD.LOOK_MS);
  },

  /** Look for a moment, or for good when a whole second had less than a flood. */
  look() {
    if (this.isLooking && this.counted < FLOOD.PER_SECOND) {
      this.end();
      return;
    }
    this.declare();
    this.isLooking = true;
    this.counted = 0;
    observeDocument(EVERYTHING);
    this.wait();
  },

  lose(type, count) {
    this.lost.set(type, (this.lost.get(type) || 0) + count);
  },

  /** Of what is not looked at nobody knows what it is: a loss of each kind. */
  declare() {
    for (const type of FLOODED) if (!this.lost.has(type)) this.lost.set(type, 1);
    for (const [channel, dropped] of this.lost) emit(EVENT.TRUNCATED, { channel, dropped });
    this.lost.clear();
  },

  /** Look at everything again: what regions say by now is nothing that comes after this. */
  end() {
    native.clearTimeout(this.timer);
    this.timer = undefined;
    this.running = false;
    this.isLooking = false;
    this.counted = 0;
    this.room = Math.max(this.room, FLOOD.ROOM_AGAIN);
    this.reckonedAt = native.now();
    this.declare();
    observeDocument(EVERYTHING);
    baselineRegions(document);
    for (const root of rootsInside(document)) {
      watchRoot(root);
      baselineRegions(root);
    }
  },
};
