/** What is asked of the driver that applies sizes to VMs. */
package io.sluice.messages.vm;
