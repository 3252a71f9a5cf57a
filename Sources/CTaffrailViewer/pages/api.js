// Requests to this server's query API.

/** Why a request failed: a problem of RFC 9457, or that the server does not answer. */
export class Problem extends Error {
  constructor(status, detail, parameter, column) {
    super(detail);
    this.status = status;
    this.parameter = parameter;
    this.column = column;
  }
}

/** Sends `needed` when a request needs a log-in. */
export const access = new EventTarget();

/** The address of a request; parameters without a value are left out, those with a list occur several times. */
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

/** The roles of this browser, with the token for requests that change something. */
export function session() {
  known ??= get("/session").catch((error) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** Sends JSON, which changes something. */
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
    throw new Problem(0, "The server does not answer.");
  }
  if (response.ok) return read(response);
  let body = {};
  try {
    body = await response.json();
  } catch {
    // A proxy in front of the server has answered.
  }
  if (response.status === 401) access.dispatchEvent(new Event("needed"));
  throw new Problem(response.status, body.detail ?? `The server answered ${response.status}.`, body.parameter, body.column);
}

/** Whether an error only means that a request is no longer wanted. */
export const isAbort = (error) => error.name === "AbortError";

/** Runs one request at a time: a new one ends the one before it. */
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
