/** Faults between Sluice and a real API server while pods are bound. */
package io.sluice.kube.faults;
