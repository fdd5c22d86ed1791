/** One program, split over processes in every way: who waits for whom, and what heals. */
package io.sluice.cluster.roles;
