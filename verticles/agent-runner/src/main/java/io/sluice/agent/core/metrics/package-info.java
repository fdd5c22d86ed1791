/** Reads the metrics that a VM tells of itself; pure. */
package io.sluice.agent.core.metrics;
