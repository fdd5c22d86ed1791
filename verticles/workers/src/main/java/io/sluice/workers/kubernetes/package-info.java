/** Nodes of Kubernetes as workers, on which instances run as pods. */
package io.sluice.workers.kubernetes;
