/** The sources of the lab's load: recorded CPU series of real machines. */
package io.sluice.lab.load;
