/**
 * What a session with a monitor is, from dial to end, and what its texts mean. Pure: time and texts come in, actions go
 * out.
 */
package io.sluice.monitor.core;
