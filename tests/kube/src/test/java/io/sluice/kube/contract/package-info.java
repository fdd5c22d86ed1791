/** Shows that the lab, and what Sluice counts, behave as a real Kubernetes does. */
package io.sluice.kube.contract;
