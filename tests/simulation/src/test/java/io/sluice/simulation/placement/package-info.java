/** Many pods at once that go through placement, in virtual time. */
package io.sluice.simulation.placement;
