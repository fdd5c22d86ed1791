/** Parses the metrics that a VM exports; pure. */
package io.sluice.agent.core.metrics;
