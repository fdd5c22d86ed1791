/** Which VMs leave a full node, and why. */
package io.sluice.messages.pressure;
