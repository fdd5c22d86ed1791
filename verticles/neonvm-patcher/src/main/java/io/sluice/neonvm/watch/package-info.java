/** Lists and watches of the Kubernetes cluster: observations are published, and full lists loaded into the ledger. */
package io.sluice.neonvm.watch;
