/** NUMA zones of nodes: where a pod can be aligned, and how well. */
package io.sluice.placement.core.zones;
