/** A fleet of nodes on which VMs are consolidated, in the model of Beloglazov and Buyya, CCPE 24(13), 2012. */
package io.sluice.replay.core.fleet;
