/** Pods that are resized in place: the second driver beside that of VMs, with its kubelets. */
package io.sluice.simulation.model.pods;
