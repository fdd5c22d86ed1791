/** Pods that come and go through placement. */
package io.sluice.simulation.model.placement;
