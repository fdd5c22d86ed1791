/**
 * The agents of the model: runners and agents of the reference, their guests, and the gateway between them and the
 * ledger.
 */
package io.sluice.simulation.model.agent;
