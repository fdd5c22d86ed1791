package io.sluice.agent.core.policy;

/**
 * What an agent reads of a VM at one scrape. CPU amounts are in CPUs, memory in MiB.
 *
 * @param second the second of the day
 * @param load1 the 1-minute load average
 * @param load5 the 5-minute load average
 * @param cpuDemand CPUs in use since the last scrape, and tasks that waited for one
 * @param memoryUse memory in use
 * @param size what the VM has of the replayed resource, in compute units
 */
public record Scrape(int second, double load1, double load5, double cpuDemand, double memoryUse, long size) {}
