/** What stands for the kubelets of nodes with ordinary pods. */
package io.sluice.lab.kubelet;
