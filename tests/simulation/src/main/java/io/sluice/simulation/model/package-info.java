/** The parts of one history: the real cores, and models of everything that they exchange messages with. */
package io.sluice.simulation.model;
