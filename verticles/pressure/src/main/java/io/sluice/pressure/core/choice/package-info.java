/** Chooses which VMs leave a node and their target nodes, and explains why the others stay. */
package io.sluice.pressure.core.choice;
