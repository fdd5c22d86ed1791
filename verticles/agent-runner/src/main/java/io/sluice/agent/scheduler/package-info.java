/** Finds schedulers of other processes, and sends permit requests to them over HTTP in place of the bus. */
package io.sluice.agent.scheduler;
