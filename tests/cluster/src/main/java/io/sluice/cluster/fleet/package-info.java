/** The nodes and VMs of the test, their agents and workload, and what the ledger granted them in truth. */
package io.sluice.cluster.fleet;
