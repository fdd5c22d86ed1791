/** Requests to the monitors inside VMs, and their replies and events. */
package io.sluice.messages.monitor;
