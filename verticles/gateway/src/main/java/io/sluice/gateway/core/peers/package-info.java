/** Who of the other processes answers, and what follows from it; pure. */
package io.sluice.gateway.core.peers;
