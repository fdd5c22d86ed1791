/** Where the lab's load comes from: recorded CPU series of real machines. */
package io.sluice.lab.load;
