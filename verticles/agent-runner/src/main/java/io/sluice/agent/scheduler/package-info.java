/** Asks a scheduler of another process over HTTP in place of the ledger on the bus, and finds it. */
package io.sluice.agent.scheduler;
