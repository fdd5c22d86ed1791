/**
 * Facts about the cluster: what runs where, as the drivers saw it. Repeats and reorderings of a fact change nothing.
 */
package io.sluice.messages.cluster;
