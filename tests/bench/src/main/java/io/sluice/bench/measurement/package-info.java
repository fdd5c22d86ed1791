/** What benchmarks of processes share: the processes, their config, the load on them, and latencies. */
package io.sluice.bench.measurement;
