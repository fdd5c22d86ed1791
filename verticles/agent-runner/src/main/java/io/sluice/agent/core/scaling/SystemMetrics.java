package io.sluice.agent.core.scaling;

/**
 * One scrape of a VM's system metrics.
 *
 * @param load1 the 1-minute load average
 * @param load5 the 5-minute load average
 * @param usageBytes memory in use: total less available, plus 100 MiB
 * @param cachedBytes memory that the page cache holds
 */
public record SystemMetrics(double load1, double load5, double usageBytes, double cachedBytes) {}
