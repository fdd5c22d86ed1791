/** Requests to the process, each with a deadline; a refusal carries the sentence of its reply. */

const DEADLINE_MS = 10_000;
const locked = new Set();

/** A request that failed or was refused. */
export class Refused extends Error {
  /** @param {number} status 0 if there was no reply at all */
  constructor(status, message, body = {}) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** Calls the listener whenever the process requires a token. */
export function onLocked(listener) {
  locked.add(listener);
}

/** Calls all listeners. */
function sayLocked() {
  locked.forEach((listener) => listener());
}

/** The refusal in a response; its body is JSON with an `error`, or empty. */
export async function refusalOf(response) {
  let body = {};
  try {
    body = await response.json();
  } catch {
    // The body is not JSON, such as a proxy's: only the status is used.
  }
  if (response.status === 401) {
    sayLocked();
  }
  return new Refused(response.status, body.error ?? `the process replied with status ${response.status}`, body);
}

async function request(path, options) {
  const deadline = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  let response;
  try {
    response = await fetch(path, { ...options, signal, cache: 'no-store' });
  } catch (lost) {
    if (options.signal?.aborted) {
      throw lost;
    }
    throw new Refused(0, deadline.aborted ? 'no reply in time' : 'the process cannot be reached');
  }
  if (!response.ok) {
    throw await refusalOf(response);
  }
  return response;
}

export async function getJson(path, signal) {
  const response = await request(path, { signal, headers: { accept: 'application/json' } });
  return response.json();
}

/** Sends the token; resolves once it is accepted. */
export async function login(token) {
  await request('login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
}

/** Records the process for so many seconds and resolves with the recording. */
export async function profile(seconds, signal) {
  const response = await request(`api/profile?seconds=${seconds}`, {
    method: 'POST',
    signal,
    deadlineMs: seconds * 1000 + 30_000,
  });
  return response.blob();
}

/** `namespace/name` or a node's name as the end of a path. */
export function pathOf(key) {
  return key.split('/').map(encodeURIComponent).join('/');
}
