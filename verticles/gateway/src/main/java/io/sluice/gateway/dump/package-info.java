/** The state of processes that an operator reads: dumps of one and of all processes, and profiles. */
package io.sluice.gateway.dump;
