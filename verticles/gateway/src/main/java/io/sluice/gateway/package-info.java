/** The HTTP listeners of a process: the agent API, probes, metrics, dumps and the console. */
package io.sluice.gateway;
