/** Traces over several processes. */
package io.sluice.cluster.traces;
