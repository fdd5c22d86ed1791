/** The Kubernetes cluster as observed: its objects, and which pods count as those of VMs and at what. Pure. */
package io.sluice.neonvm.core.observed;
