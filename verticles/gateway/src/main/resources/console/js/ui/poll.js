/** Asks for something again and again while somebody looks at it: one question at a time, none from a hidden page. */
import { getJson } from '../api.js';

const SOON_MS = 1000;

export class Poll {
  #abort = new AbortController();
  #timer = 0;
  #askedAt = -Infinity;
  #question = null;
  #pending = false;
  #again = false;

  /**
   * @param {() => string} path of the next question
   * @param {number} everyMs
   * @param {{answer: (data: any) => void, refused: (error: import('../api.js').Refused) => void}} heard
   */
  constructor(path, everyMs, heard) {
    this.path = path;
    this.everyMs = everyMs;
    this.heard = heard;
    document.addEventListener('visibilitychange', () => document.hidden || this.now(), { signal: this.#abort.signal });
    this.now();
  }

  /** Asks at once; an answer that is awaited is of no interest any more. */
  now() {
    clearTimeout(this.#timer);
    this.#question?.abort();
    this.#ask();
  }

  /** Something changed that the next answer will tell of: asks sooner than usual, but not at every change. */
  soon() {
    if (this.#pending) {
      this.#again = true;
    } else {
      this.#in(this.#askedAt + SOON_MS - performance.now());
    }
  }

  close() {
    clearTimeout(this.#timer);
    this.#question?.abort();
    this.#abort.abort();
  }

  async #ask() {
    const question = new AbortController();
    this.#question = question;
    this.#askedAt = performance.now();
    this.#pending = true;
    try {
      const data = await getJson(this.path(), question.signal);
      if (!question.signal.aborted) {
        this.heard.answer(data);
      }
    } catch (error) {
      if (!question.signal.aborted) {
        this.heard.refused(error);
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
    this.#timer = setTimeout(() => document.hidden || this.#ask(), Math.max(0, waitMs));
  }
}
