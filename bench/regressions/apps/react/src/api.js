/** The server's API as promises. */

export class ApiError extends Error {
  constructor(status, body) {
    super(body?.error ?? `The server answered ${status}`);
    this.status = status;
    this.fields = body?.fields ?? {};
  }
}

export async function api(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const value = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new ApiError(answer.status, value);
  return value;
}
