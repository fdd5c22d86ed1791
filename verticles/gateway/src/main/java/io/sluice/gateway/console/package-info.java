/** The console's HTTP interface: pages and their files, live streams, details of VMs and nodes, and the tap. */
package io.sluice.gateway.console;
