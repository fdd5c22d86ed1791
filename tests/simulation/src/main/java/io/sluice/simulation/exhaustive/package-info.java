/** Every order of messages, losses and repeats to some depth, by the real cores of ledger, runner and gateway. */
package io.sluice.simulation.exhaustive;
