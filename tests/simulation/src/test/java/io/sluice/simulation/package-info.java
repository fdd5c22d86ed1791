/** Every core together on one seeded queue in virtual time, with the promises of the whole checked after each event. */
package io.sluice.simulation;
