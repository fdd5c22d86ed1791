/** The plan of the lab's fleet, and the invariants that are checked. Pure. */
package io.sluice.lab.core;
