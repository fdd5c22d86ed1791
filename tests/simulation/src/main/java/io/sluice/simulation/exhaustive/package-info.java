/**
 * Explores every order of messages, losses and repeats to some depth, with the real cores of ledger, runner and
 * gateway.
 */
package io.sluice.simulation.exhaustive;
