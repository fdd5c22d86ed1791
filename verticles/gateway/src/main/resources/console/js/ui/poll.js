/** Requests the same resource repeatedly while its page is visible: one request at a time, none from a hidden page. */
import { getJson } from '../api.js';

const SOON_MS = 1000;

export class Poll {
  #abort = new AbortController();
  #timer = 0;
  #requestedAt = -Infinity;
  #question = null;
  #pending = false;
  #again = false;

  /**
   * @param {() => string} path of the next request
   * @param {number} everyMs
   * @param {{answer: (data: any) => void, refused: (error: import('../api.js').Refused) => void}} handlers
   */
  constructor(path, everyMs, handlers) {
    this.path = path;
    this.everyMs = everyMs;
    this.handlers = handlers;
    document.addEventListener('visibilitychange', () => document.hidden || this.now(), { signal: this.#abort.signal });
    this.now();
  }

  /** Requests at once; a reply that is still awaited is ignored. */
  now() {
    clearTimeout(this.#timer);
    this.#question?.abort();
    this.#request();
  }

  /** After a change that the next reply will contain: requests sooner than usual, but not at every change. */
  soon() {
    if (this.#pending) {
      this.#again = true;
    } else {
      this.#in(this.#requestedAt + SOON_MS - performance.now());
    }
  }

  close() {
    clearTimeout(this.#timer);
    this.#question?.abort();
    this.#abort.abort();
  }

  async #request() {
    const question = new AbortController();
    this.#question = question;
    this.#requestedAt = performance.now();
    this.#pending = true;
    try {
      const data = await getJson(this.path(), question.signal);
      if (!question.signal.aborted) {
        this.handlers.answer(data);
      }
    } catch (error) {
      if (!question.signal.aborted) {
        this.handlers.refused(error);
      }
    }
    if (!question.signal.aborted) {
      this.#pending = false;
      this.#in(this.#again ? SOON_MS : this.everyMs);
      this.#again = false;
    }
  }

  #in(waitMs) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => document.hidden || this.#request(), Math.max(0, waitMs));
  }
}
