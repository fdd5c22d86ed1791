/** The current fleet and the charts of its VMs, from the events of the bus. Pure. */
package io.sluice.gateway.core.console.fleet;
