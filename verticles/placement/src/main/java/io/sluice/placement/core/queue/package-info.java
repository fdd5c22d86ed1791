/** Which pods wait for Sluice's own scheduler, in which order they are tried, and what is known for them. */
package io.sluice.placement.core.queue;
