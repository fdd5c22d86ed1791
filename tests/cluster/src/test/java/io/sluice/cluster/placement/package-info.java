/** Pods that are placed while processes die. */
package io.sluice.cluster.placement;
