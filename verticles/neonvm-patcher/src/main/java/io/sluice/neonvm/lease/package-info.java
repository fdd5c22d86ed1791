/** The Lease of a Kubernetes cluster: which installation serves it. */
package io.sluice.neonvm.lease;
