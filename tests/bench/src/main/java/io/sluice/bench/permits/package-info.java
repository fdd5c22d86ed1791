/** Benchmarks of permits: of the ledger's core, over HTTP, over the bus and in a Hazelcast cluster. */
package io.sluice.bench.permits;
