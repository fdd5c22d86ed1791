/** Requests to the driver that applies sizes to VMs, and their replies. */
package io.sluice.messages.vm;
