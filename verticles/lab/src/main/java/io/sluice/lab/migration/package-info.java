/** Plays the parts of a cluster that move a VM from one node to another. */
package io.sluice.lab.migration;
