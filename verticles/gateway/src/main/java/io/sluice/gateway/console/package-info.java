/** The console's door: pages and their files, live streams, answers about VMs and nodes, and the tap. */
package io.sluice.gateway.console;
