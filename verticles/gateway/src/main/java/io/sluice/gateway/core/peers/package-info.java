/** Which other processes reply, and what follows from it; pure. */
package io.sluice.gateway.core.peers;
