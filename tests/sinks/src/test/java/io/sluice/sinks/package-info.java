/** Sinks of object stores against programs that stand in for them. */
package io.sluice.sinks;
