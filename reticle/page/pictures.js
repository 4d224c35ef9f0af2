/*
 * Images on their way, also where no document holds them: each tells the app of its end by an event.
 */

const pictures = (() => {
  /** So many are followed. */
  const MOST = 1000;
  /** Images that were given an address, perhaps outside of the document, as weak references. */
  let images = [];
  /** Images whose event is still to come: it is told after the image has become complete. */
  const untold = new WeakSet();

  function imageTold({ target }) {
    if (untold.delete(target)) browserWork.stir();
  }

  /** Whether an image is on its way; one that waits until it is scrolled to may never be. */
  function isLoading(image) {
    if (!image || image.loading === "lazy") return false;
    if (!image.complete) untold.add(image);
    return untold.has(image);
  }

  function some(collection, test) {
    for (let index = 0; index < collection.length; index += 1) if (test(collection[index])) return true;
    return false;
  }

  return {
    /** Follow those of a window: this one, or that of a frame of this origin. */
    watch(view) {
      for (const name of ["src", "srcset"]) {
        watchAccessor(view.HTMLImageElement && view.HTMLImageElement.prototype, name, "work", (image) => {
          if (image.complete) return;
          untold.add(image);
          images = images.filter((held) => isLoading(held.deref())).slice(1 - MOST);
          images.push(new WeakRef(image));
          for (const type of ["load", "error"]) listen(image, type, "work", imageTold, { once: true });
        });
      }
    },
    start() {
      for (const type of ["load", "error"]) listen(document, type, "work", imageTold);
    },
    areLoading: () => images.some((held) => isLoading(held.deref())) || some(document.images, isLoading),
  };
})();
