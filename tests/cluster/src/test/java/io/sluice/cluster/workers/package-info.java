/** Workers and their scheduler as real processes, which are killed and stopped. */
package io.sluice.cluster.workers;
