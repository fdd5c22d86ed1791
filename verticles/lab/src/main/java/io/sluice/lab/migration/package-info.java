/** Simulates the components of a Kubernetes cluster that migrate a VM. */
package io.sluice.lab.migration;
