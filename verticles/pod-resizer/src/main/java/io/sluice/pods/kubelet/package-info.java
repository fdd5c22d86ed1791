/** What kubelets report of the pods on their nodes. */
package io.sluice.pods.kubelet;
