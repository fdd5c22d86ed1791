/**
 * The sessions with monitors, from dial to end, and the messages in them. Pure: time and texts are arguments, actions
 * are results.
 */
package io.sluice.monitor.core;
