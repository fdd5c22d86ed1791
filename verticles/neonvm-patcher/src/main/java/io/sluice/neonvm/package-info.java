/** The Kubernetes side: informers turn objects into facts, and sizes into patches of VirtualMachine objects. */
package io.sluice.neonvm;
