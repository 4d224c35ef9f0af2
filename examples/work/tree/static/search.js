// Which articles a search finds.
export function matching(shelf, words) {
  return shelf.filter((each) => each.name.includes(words.trim()));
}
