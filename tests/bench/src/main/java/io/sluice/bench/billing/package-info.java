/** Benchmarks of a process that bills. */
package io.sluice.bench.billing;
