/** A stream that is opened again whenever it ends, after a pause that grows, until it is closed. */
import { Refused } from './api.js';
import { readEvents } from './sse.js';

const PAUSE_FIRST_MS = 500;
const PAUSE_MAX_MS = 15_000;

/**
 * @typedef {{phase: 'connecting'|'live'|'lost'|'locked'|'closed', error: string, retryAt: number, since: number}} LinkState
 * `retryAt` is when a lost one is opened again, `since` when it last became live or stopped being so, in this browser's time.
 */

export class Link {
  #abort = null;
  #timer = 0;
  #pauseMs = PAUSE_FIRST_MS;
  /** @type {LinkState} */
  state = { phase: 'closed', error: '', retryAt: 0, since: Date.now() };

  /**
   * @param {string} path
   * @param {{event: (name: string, data: any) => void, state: (state: LinkState) => void}} handlers events with their data
   *     parsed
   * @param {{quiet: boolean}} options quiet: the stream counts as live before its first event
   */
  constructor(path, handlers, { quiet = false } = {}) {
    this.path = path;
    this.handlers = handlers;
    this.quiet = quiet;
  }

  open() {
    this.close();
    this.#connect();
  }

  /** Connects at once, if it waits for its next try. */
  retryNow() {
    if (this.state.phase === 'lost' || this.state.phase === 'locked') {
      clearTimeout(this.#timer);
      this.#connect();
    }
  }

  close() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
    this.#say('closed', '');
  }

  async #connect() {
    const abort = new AbortController();
    this.#abort = abort;
    this.#say('connecting', this.state.error);
    try {
      const open = () => this.quiet && this.#live();
      await readEvents(this.path, { open, event: (name, data) => this.#event(name, data) }, abort.signal);
    } catch (lost) {
      if (!abort.signal.aborted) {
        this.#lost(lost);
      }
    } finally {
      abort.abort();
    }
  }

  #live() {
    if (this.state.phase !== 'live') {
      this.#say('live', '');
    }
  }

  #event(name, data) {
    try {
      this.handlers.event(name, JSON.parse(data));
    } catch (odd) {
      console.error(odd);
      throw new Refused(0, `a message of the process is invalid: ${odd.message}`);
    }
    // Not when the connection opens but once an event was read: a process that hangs may still accept connections.
    this.#pauseMs = PAUSE_FIRST_MS;
    this.#live();
  }

  #lost(lost) {
    if (lost.status === 401) {
      this.#say('locked', lost.message);
      return;
    }
    // Half of it is random, so that many consoles do not reconnect in the same instant.
    const waitMs = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(PAUSE_MAX_MS, this.#pauseMs * 2);
    this.#timer = setTimeout(() => this.#connect(), waitMs);
    this.#say('lost', lost.message, Date.now() + waitMs);
  }

  #say(phase, error, retryAt = 0) {
    const wasLive = this.state.phase === 'live';
    const since = wasLive === (phase === 'live') ? this.state.since : Date.now();
    this.state = { phase, error, retryAt, since };
    this.handlers.state(this.state);
  }
}
