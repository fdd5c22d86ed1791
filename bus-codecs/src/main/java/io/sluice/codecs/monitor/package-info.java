/** Wire codecs of the messages in {@code io.sluice.messages.monitor}: the connections to monitors. */
package io.sluice.codecs.monitor;
