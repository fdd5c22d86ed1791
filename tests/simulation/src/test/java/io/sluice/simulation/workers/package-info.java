/** Workers that come, go, are cut off and return, with the real rules of workers, placement and ledger. */
package io.sluice.simulation.workers;
