/** Virtual time, random numbers that can be replayed, and the record of both. */
package io.sluice.simulation.engine;
