/** Wire codecs of the messages in {@code io.sluice.messages.pressure}: decisions and rankings of the pressure role. */
package io.sluice.codecs.pressure;
