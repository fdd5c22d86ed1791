/** What scheduling reads of pods, nodes and volumes, in Kubernetes' terms. */
package io.sluice.placement.core.spec;
