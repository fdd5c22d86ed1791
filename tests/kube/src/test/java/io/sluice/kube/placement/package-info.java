/** Pods that are placed and evicted on a real Kubernetes. */
package io.sluice.kube.placement;
