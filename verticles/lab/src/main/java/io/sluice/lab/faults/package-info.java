/** The faults that tests and the demo inject into the lab. */
package io.sluice.lab.faults;
