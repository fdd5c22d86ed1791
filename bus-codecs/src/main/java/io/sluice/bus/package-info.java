/** The typed bus: addresses with their messages, codecs, and the only access to the event bus. */
package io.sluice.bus;
