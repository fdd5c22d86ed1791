/** Writes Kubernetes Events to VMs. */
package io.sluice.neonvm.events;
