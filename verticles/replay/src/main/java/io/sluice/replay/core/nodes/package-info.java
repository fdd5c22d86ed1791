/** Nodes on which replayed VMs stand: placed by production's placement, with permits by production's ledger. */
package io.sluice.replay.core.nodes;
