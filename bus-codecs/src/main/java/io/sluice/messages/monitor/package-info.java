/** What is asked of, and heard from, the monitors inside VMs. */
package io.sluice.messages.monitor;
