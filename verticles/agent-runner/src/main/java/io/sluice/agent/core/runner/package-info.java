/**
 * One runner's part in the protocols: who speaks for a VM, in which order, and what a lost answer means; pure.
 *
 * <p>{@link io.sluice.agent.core.runner.Runner} is the door. The scaling core beneath it decides what the VM should be.
 */
package io.sluice.agent.core.runner;
