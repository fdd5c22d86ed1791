/** Decides what is written to the Kubernetes API: permits, Events, a Lease. Pure: it uses no client. */
package io.sluice.neonvm.core;
