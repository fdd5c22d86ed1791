/** The exchange of status, taps and dumps between processes. */
package io.sluice.gateway.peers;
