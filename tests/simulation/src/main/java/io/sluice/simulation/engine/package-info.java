/** Virtual time, chance that can be played again, and the record of both. */
package io.sluice.simulation.engine;
