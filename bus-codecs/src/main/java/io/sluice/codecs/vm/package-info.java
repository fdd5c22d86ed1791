/** Wire codecs of the messages in {@code io.sluice.messages.vm}: requests to drivers of VMs and their replies. */
package io.sluice.codecs.vm;
