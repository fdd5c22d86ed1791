/** Sluice on a real kube-apiserver and etcd. */
package io.sluice.kube;
