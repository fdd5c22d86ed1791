/** Observations of the Kubernetes cluster from the informers. They may be repeated and reordered without effect. */
package io.sluice.messages.cluster;
