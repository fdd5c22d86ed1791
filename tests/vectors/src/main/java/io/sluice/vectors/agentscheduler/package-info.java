/** Plays recorded exchanges of agents with the reference scheduler against Sluice's agent API and ledger. */
package io.sluice.vectors.agentscheduler;
