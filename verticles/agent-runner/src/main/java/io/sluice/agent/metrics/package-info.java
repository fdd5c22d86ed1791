/** The metrics of an agent, its runners and their VMs. */
package io.sluice.agent.metrics;
