/** Plays recorded exchanges of agents with the reference scheduler before Sluice's own door and ledger. */
package io.sluice.vectors.agentscheduler;
