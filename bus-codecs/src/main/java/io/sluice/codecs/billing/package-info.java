/** Wire codecs of the messages in {@code io.sluice.messages.billing}: what is billed of a VM. */
package io.sluice.codecs.billing;
