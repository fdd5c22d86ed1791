/** Wire codecs of the messages in {@code io.sluice.messages.agent}: decisions and statuses of agents. */
package io.sluice.codecs.agent;
