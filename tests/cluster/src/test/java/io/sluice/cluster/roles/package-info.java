/** One program, split over processes in every way: which process waits for which, and what heals. */
package io.sluice.cluster.roles;
