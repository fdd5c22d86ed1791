/** Explanations of VMs and nodes, requested from a whole process whose lab was given the cause. */
package io.sluice.why;
