/** Server-sent events, read with fetch: unlike an EventSource it gives the status of a refusal. */
import { Refused, refusalOf } from './api.js';

/** The process sends at least a comment every 15 s. */
const SILENCE_MS = 40_000;

/**
 * Splits a stream of text into events. Keeps the pieces of a line apart until its end has arrived: a line may have
 * megabytes.
 */
export class EventCutter {
  #pieces = [];
  #name = '';
  #data = [];

  /** @param {(name: string, data: string) => void} onEvent */
  constructor(onEvent) {
    this.onEvent = onEvent;
  }

  take(text) {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#pieces.push(text.slice(from, end));
      const line = this.#pieces.length === 1 ? this.#pieces[0] : this.#pieces.join('');
      this.#pieces = [];
      this.#line(line.endsWith('\r') ? line.slice(0, -1) : line);
      from = end + 1;
    }
    if (from < text.length) {
      this.#pieces.push(text.slice(from));
    }
  }

  #line(line) {
    if (line === '') {
      if (this.#data.length > 0) {
        this.onEvent(this.#name || 'message', this.#data.join('\n'));
      }
      this.#name = '';
      this.#data = [];
    } else if (line.startsWith('data:')) {
      this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
    } else if (line.startsWith('event:')) {
      this.#name = line.slice(6).trim();
    }
  }
}

/**
 * Reads one stream until it ends, which is always an error: streams of the console have no end of their own.
 *
 * @param {string} path what to open
 * @param {{open: () => void, event: (name: string, data: string) => void}} handlers
 * @param {AbortSignal} signal closes it
 */
export async function readEvents(path, handlers, signal) {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(path, {
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok) {
      throw await refusalOf(response);
    }
    handlers.open();
    const cutter = new EventCutter(handlers.event);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      cutter.take(part.value);
    }
    throw new Refused(0, 'the process closed the connection');
  } catch (lost) {
    if (signal.aborted || lost instanceof Refused) {
      throw lost;
    }
    throw new Refused(0, silence.signal.aborted ? 'nothing arrived for 40 s' : 'the process cannot be reached');
  } finally {
    clearTimeout(timer);
  }
}
