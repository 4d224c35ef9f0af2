/*
 * A page that only moves: an animation of CSS and one of a script, sixty times a second each.
 */
const mover = document.querySelector("#script-moved");

window.app = {
  frame() {
    mover.style.transform = `translateX(${Math.round(performance.now() / 10) % 100}px)`;
  },
};
