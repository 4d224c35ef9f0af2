/*
 * What must not leave the page, and what must stay readable.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

const { document, isSecretKey, scrub, scrubLoose, redactUrl, isSecretField, plain, boundBody } = loadPage(
  '<input id=a type=password value=x><input id=b autocomplete="section-x cc-number"><input id=c name=api_key><input id=d aria-label="One-time passcode"><input id=e name=q>',
  ["isSecretKey", "scrub", "scrubLoose", "redactUrl", "isSecretField", "plain", "boundBody"],
);

const SECRET = [
  "password", "Password2", "newPassword", "user_passwd", "passcode", "secret", "clientSecret", "client-secret", "token",
  "tokens", "access_token", "accessToken", "refreshToken", "idToken", "csrf-token", "csrfmiddlewaretoken", "X-Auth-Token",
  "user_token", "sessionId", "session_id", "PHPSESSID", "sid", "pwd", "jwt", "Authorization", "Cookie", "Set-Cookie",
  "apiKey", "api-key", "X-API-Key", "accessKey", "privateKey", "creditCard", "card_number", "cvv", "CVC", "ssn",
  "signature", "sig", "credential", "X-Amz-Signature", "X-Amz-Credential", "x-goog-signature", "X-Amz-Security-Token",
];
const READABLE = [
  "colorToken", "color_token", "tokenCount", "token_type", "nextPageToken", "maxTokens", "cookieConsent",
  "signatureVersion", "className", "secretary", "sidebar", "design", "assigned", "name", "email", "status", "passenger",
  "compass", "authorName", "sessionCount", "keyboard",
];

test("Keys that name credentials are known in every spelling.", () => {
  same(SECRET.filter((key) => !isSecretKey(key)), []);
});

test("Look-alike keys stay readable.", () => {
  same(READABLE.filter(isSecretKey), []);
});

test("Known secret shapes are replaced in any text, and nothing around them.", () => {
  for (const secret of [
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "sk_live_abcdefghijkl",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_abcdefghijklmnopqrstuvwx",
    "xoxb-123456789-abc",
    "ya29.a0AfH6SMBx",
    "dtok_abc.defghi",
  ]) {
    assert.equal(scrub(`got ${secret} here`), "got [REDACTED] here");
  }
  assert.equal(scrub("Authorization used Bearer abcdefghijklmnop now"), "Authorization used Bearer [REDACTED] now");
  assert.equal(scrub("postgres://ada:pw@db/shop"), "postgres://[REDACTED]@db/shop");
  assert.equal(scrub("A sky-blue bearer of tokens"), "A sky-blue bearer of tokens");
});

test("In logs and bodies also key and value pairs are judged by their keys.", () => {
  assert.equal(scrubLoose('login password=hunter2 user=ada {"apiKey": "k1", "n": 1}'), 'login password=[REDACTED] user=ada {"apiKey": "[REDACTED]", "n": 1}');
  assert.equal(scrubLoose("token: abc123xyz, and Unexpected token: name"), "token: [REDACTED], and Unexpected token: name");
  assert.equal(scrubLoose("Set-Cookie: sid=1; Path=/"), "Set-Cookie: [REDACTED]");
});

test("A URL keeps everything but its credentials.", () => {
  assert.equal(
    redactUrl("https://ada:pw@shop.test/a?q=1&access_token=abc&sig=x#id_token=zzz&tab=2"),
    "https://[REDACTED]@shop.test/a?q=1&access_token=[REDACTED]&sig=[REDACTED]#id_token=[REDACTED]&tab=2",
  );
  assert.equal(redactUrl("/reset/a1b2c3d4e5f6a7b8c9d0e1f2"), "/reset/[REDACTED]");
  assert.equal(redactUrl("/reset/instructions-for-everyone"), "/reset/instructions-for-everyone");
  assert.equal(redactUrl("/api?color_token=blue"), "/api?color_token=blue");
});

test("Fields are secret by type, autocomplete or name, and stay so when they show their text.", () => {
  const byId = (id) => document.getElementById(id);
  same(["a", "b", "c", "d", "e"].map((id) => isSecretField(byId(id))), [true, true, true, true, false]);
  byId("a").type = "text";
  assert.equal(isSecretField(byId("a")), true);
});

test("A canary under a secret key or in a secret shape is nowhere in what is sent.", () => {
  const canary = "c4n4ry-value";
  const value = {
    password: canary,
    deep: [{ Authorization: canary }, new Map([["apiKey", canary]])],
    note: `see https://x:${canary}@host/`,
    failed: new Error(`token=${canary}`),
    showPassword: true,
  };
  const sent = JSON.stringify(plain(value));
  assert.ok(!sent.includes(canary), sent);
  assert.ok(sent.includes('"showPassword":true'));
});

test("A JSON body is redacted by its keys, any other by patterns, and an untouched one stays as it was written.", () => {
  same(boundBody('{ "a": 1,  "b": [2] }'), { text: '{ "a": 1,  "b": [2] }', truncated: false });
  assert.equal(boundBody('{"cvv":123,"pan":"x"}').text, '{"cvv":"[REDACTED]","pan":"x"}');
  assert.equal(boundBody("user=ada&password=hunter2").text, "user=ada&password=[REDACTED]");
  const long = boundBody(`{"password":"x","rest":"${"y".repeat(300000)}"}`);
  same([long.text.length, long.truncated, long.text.slice(0, 26)], [8192, true, '{"password":"[REDACTED]","']);
});
