/** The console's state: the fleet and its changes, and the explanations of VMs and nodes. */
package io.sluice.gateway.core.console;
