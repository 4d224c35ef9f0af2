/*
 * How an app is driven in each page of the benchmark: the same with the page script and without.
 */
{
  const turn = () => new Promise((resolve) => requestAnimationFrame(resolve));

  const driver = {
    /** Let the app do its work in so many frames; gives the milliseconds of its own calls. */
    frames(count) {
      return new Promise((resolve) => {
        let spent = 0;
        let done = 0;
        // the app's work is done in the browser's callback and not in a promise's: the browser counts the first alone
        const work = () => {
          if (done === count) return resolve(spent);
          done += 1;
          const begin = performance.now();
          window.app.frame();
          spent += performance.now() - begin;
          return requestAnimationFrame(work);
        };
        requestAnimationFrame(work);
      });
    },

    async remounts(count) {
      for (let done = 0; done < count; done += 1) {
        await turn();
        window.app.remount();
      }
      await turn();
    },

    /** Microseconds of each call of some functions that the page script stands around, the least of several rounds. */
    async calls() {
      const nothing = () => {};
      const kinds = {
        "setTimeout and clearTimeout": () => clearTimeout(setTimeout(nothing, 1000)),
        "requestAnimationFrame and cancel": () => cancelAnimationFrame(requestAnimationFrame(nothing)),
        "addEventListener and remove": () => {
          document.body.addEventListener("click", nothing);
          document.body.removeEventListener("click", nothing);
        },
        "localStorage.setItem": (each) => localStorage.setItem("bench", String(each % 10)),
        "console.debug": (each) => console.debug("bench", each),
      };
      const found = {};
      for (const [name, call] of Object.entries(kinds)) {
        let least = Infinity;
        for (let round = 0; round < 8; round += 1) {
          const begin = performance.now();
          for (let each = 0; each < 250; each += 1) call(each);
          least = Math.min(least, (performance.now() - begin) / 250);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        found[name] = least * 1000;
      }
      return found;
    },

    /** Make requests, some at a time, as an app does that loads a list. */
    async requests(count) {
      for (let made = 0; made < count; made += 20) {
        await Promise.all(Array.from({ length: 20 }, async () => (await fetch("/answer")).json()));
      }
    },
  };
  window.driver = driver;
}
