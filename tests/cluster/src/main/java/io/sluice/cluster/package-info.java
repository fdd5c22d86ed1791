/** Real processes with injected faults, and strict agents that detect every broken invariant of the ledger. */
package io.sluice.cluster;
