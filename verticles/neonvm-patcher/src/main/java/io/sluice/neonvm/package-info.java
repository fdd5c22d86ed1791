/** Reads and patches objects of Kubernetes clusters: informers publish observations, and sizes become patches. */
package io.sluice.neonvm;
