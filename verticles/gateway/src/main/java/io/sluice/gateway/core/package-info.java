/** What the doors decide without a socket: reading requests, finding pods, sessions for those who have none. */
package io.sluice.gateway.core;
