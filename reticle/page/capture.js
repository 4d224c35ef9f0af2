/*
 * Pointer capture while our own mouse drags: browsers let only a real pointer be captured, without a word to the app, so
 * that what captures ours would lose it as soon as it leaves the element (Pointer Events 3, "Setting pointer capture").
 * The three methods are the app's own again when the button is up.
 */

/** The id that our pointer events carry. */
const OUR_POINTER = 1;

class Capture {
  /** @param {Window} view whose elements may capture */
  constructor(view) {
    /** Who gets pointer and mouse events, or null: what lies under the mouse. */
    this.captor = null;
    this.told = null;
    this.prototype = view.Element.prototype;
    this.own = {};
    const capture = this;
    const methods = {
      setPointerCapture(id) {
        capture.own.setPointerCapture.call(this, id);
        if (id === OUR_POINTER) capture.captor = this;
      },
      releasePointerCapture(id) {
        if (id === OUR_POINTER && capture.captor === this) capture.captor = null;
        else capture.own.releasePointerCapture.call(this, id);
      },
      hasPointerCapture(id) {
        return id === OUR_POINTER ? capture.captor === this : capture.own.hasPointerCapture.call(this, id);
      },
    };
    for (const [name, method] of Object.entries(methods)) {
      this.own[name] = this.prototype[name];
      if (typeof this.own[name] === "function") this.prototype[name] = method;
    }
    this.methods = methods;
  }

  /** Tell what came and went, as a browser does before the next event of the pointer. */
  settle(point, flags) {
    if (this.captor && !this.captor.isConnected) this.captor = null;
    if (this.told === this.captor) return;
    const fields = { ...flags, cancelable: false };
    if (this.told?.isConnected) sendMouse(this.told, "lostpointercapture", point, fields);
    this.told = this.captor;
    if (this.captor) sendMouse(this.captor, "gotpointercapture", point, fields);
  }

  /** The button is up: nothing is captured, and the methods are those of before; unless the app has put its own there. */
  end(point, flags) {
    this.captor = null;
    this.settle(point, flags);
    for (const [name, own] of Object.entries(this.own)) {
      if (this.prototype[name] === this.methods[name]) this.prototype[name] = own;
    }
  }
}
