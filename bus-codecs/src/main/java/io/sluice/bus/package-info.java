/** The typed bus: addresses that name their messages, codecs that carry them, and the only door to the event bus. */
package io.sluice.bus;
