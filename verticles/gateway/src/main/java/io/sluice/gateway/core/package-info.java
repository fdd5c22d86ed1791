/**
 * The decisions of the listeners without a socket: reading requests, finding pods, sessions for agents without their
 * own.
 */
package io.sluice.gateway.core;
