/** Which VMs leave a node and for which other node, and why the others do not. */
package io.sluice.pressure.core.choice;
