/*
 * Folding, cutting and mending of text.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage } from "./parts.mjs";

const { fold, clip, wellFormed, plain, hasPart } = loadPage("", ["fold", "clip", "wellFormed", "plain", "hasPart"]);

test("White space of all kinds is one blank, invisible characters are none, accents are composed.", () => {
  assert.equal(fold("  Save\u00a0\n\tit\u200b now\ufeff "), "Save it now");
  assert.equal(fold("cafe\u0301"), "caf\u00e9");
  assert.equal(fold("\u2460"), "\u2460", "compatibility forms are another text");
  assert.equal(fold(undefined), "");
});

test("Folding twice is folding once.", () => {
  for (const text of ["a  b", "\u00a0x\u200d", "e\u0301\u0301", "\u3000wide\u3000"]) assert.equal(fold(fold(text)), fold(text));
});

test("A cut text ends with an ellipsis and never with half a character.", () => {
  assert.equal(clip("abcdef", 4), "abc\u2026");
  assert.equal(clip("abcd", 4), "abcd");
  assert.equal(clip("ab\ud83d\ude00cd", 4), "ab\u2026");
});

test("Lone surrogates are mended, in engines without toWellFormed too.", () => {
  const text = new String("a\ud800b\ud83d\ude00\udc00");
  text.toWellFormed = undefined;
  assert.equal(wellFormed(text), "a\ufffdb\ud83d\ude00\ufffd");
  assert.equal(plain("x\udfff"), "x\ufffd");
});

test("A number is no part of another one, in digits of two code units too.", () => {
  assert.ok(hasPart("order 12, order 1", "order 1"));
  assert.ok(hasPart("1", "1"));
  assert.ok(!hasPart("order 12", "order 1"));
  assert.ok(!hasPart("21 lamps", "1 lamps"));
  assert.ok(!hasPart("\ud835\udfd01 lamps", "1 lamps"), "a mathematical 2 is a digit");
  assert.ok(!hasPart("order 1\ud835\udfd0", "order 1"));
});
