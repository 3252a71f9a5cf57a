// Requests to this server's query API.

/** The reason why a request failed: a problem of RFC 9457, or a server that does not respond. */
export class Problem extends Error {
  constructor(status, detail, parameter, column) {
    super(detail);
    this.status = status;
    this.parameter = parameter;
    this.column = column;
  }
}

/** Sends `needed` when a request requires a login. */
export const access = new EventTarget();

/** The address of a request; parameters without a value are omitted, and those with a list are repeated. */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") query.append(name, one);
    }
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Requests JSON. */
export const get = (path, parameters, signal) =>
  request(address(path, parameters), { signal, headers: { accept: "application/json" } });

/** Requests a file, as text. */
export const getFile = (path, parameters) => request(address(path, parameters), {}, (response) => response.text());

let known;

/** The roles of this browser, and the CSRF token for requests with side effects. */
export function session() {
  known ??= get("/session").catch((error) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** Sends JSON in a request with side effects. */
export async function post(path, body) {
  const { csrf } = await session();
  return request(path, {
    method: "POST", body: JSON.stringify(body),
    headers: { accept: "application/json", "content-type": "application/json", ...(csrf ? { "x-csrf-token": csrf } : {}) },
  });
}

async function request(url, options, read = (response) => response.json()) {
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server does not respond.");
  }
  if (response.ok) return read(response);
  let body = {};
  try {
    body = await response.json();
  } catch {
    // The response is from a proxy in front of the server.
  }
  if (response.status === 401) access.dispatchEvent(new Event("needed"));
  throw new Problem(response.status, body.detail ?? `The server returned ${response.status}.`, body.parameter, body.column);
}

/** Whether an error only means that a request was cancelled. */
export const isAbort = (error) => error.name === "AbortError";

/** Runs one request at a time: a new one cancels the previous one. */
export class Latest {
  #controller;

  async get(path, parameters) {
    this.cancel();
    const controller = new AbortController();
    this.#controller = controller;
    return get(path, parameters, controller.signal);
  }

  cancel() {
    this.#controller?.abort();
  }
}
