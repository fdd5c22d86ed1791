/** Pods that are resized in place, on a real API server. */
package io.sluice.kube.pods;
