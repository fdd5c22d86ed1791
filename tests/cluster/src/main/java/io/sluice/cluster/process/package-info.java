/** The processes of a setup, and the network between them. */
package io.sluice.cluster.process;
