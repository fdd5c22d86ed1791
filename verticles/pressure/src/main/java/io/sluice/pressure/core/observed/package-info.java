/** The observed state of the Kubernetes cluster, and what full lists no longer contain. */
package io.sluice.pressure.core.observed;
