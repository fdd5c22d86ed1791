/** The world of one history: the real cores, and models of everything that they talk to. */
package io.sluice.simulation.model;
