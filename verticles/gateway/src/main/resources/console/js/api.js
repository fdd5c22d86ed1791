/** Questions to the process, each with a deadline; a refusal carries the words of whoever refused. */

const DEADLINE_MS = 10_000;
const locked = new Set();

/** An answer that is not what was asked for. */
export class Refused extends Error {
  /** @param {number} status 0 where there was no answer at all */
  constructor(status, message, body = {}) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** Calls the listener whenever the process wants to know who is asking. */
export function onLocked(listener) {
  locked.add(listener);
}

/** Tells everyone that a token is wanted. */
function sayLocked() {
  locked.forEach((listener) => listener());
}

/** The refusal that a response is; its body is JSON with an `error`, or there is none. */
export async function refusalOf(response) {
  let body = {};
  try {
    body = await response.json();
  } catch {
    // Whoever refused was no console: its status has to do.
  }
  if (response.status === 401) {
    sayLocked();
  }
  return new Refused(response.status, body.error ?? `the process answered ${response.status}`, body);
}

async function ask(path, options) {
  const deadline = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  let response;
  try {
    response = await fetch(path, { ...options, signal, cache: 'no-store' });
  } catch (lost) {
    if (options.signal?.aborted) {
      throw lost;
    }
    throw new Refused(0, deadline.aborted ? 'no answer in time' : 'the process cannot be reached');
  }
  if (!response.ok) {
    throw await refusalOf(response);
  }
  return response;
}

export async function getJson(path, signal) {
  const response = await ask(path, { signal, headers: { accept: 'application/json' } });
  return response.json();
}

/** Shows who is asking; resolves once the token was taken. */
export async function login(token) {
  await ask('login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
}

/** Records the process for so long and resolves with the recording. */
export async function profile(seconds, signal) {
  const response = await ask(`api/profile?seconds=${seconds}`, {
    method: 'POST',
    signal,
    deadlineMs: seconds * 1000 + 30_000,
  });
  return response.blob();
}

/** `namespace/name` or a node's name as the end of an address. */
export function pathOf(key) {
  return key.split('/').map(encodeURIComponent).join('/');
}
