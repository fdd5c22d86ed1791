/** Codecs of messages about placing pods on nodes. */
package io.sluice.codecs.placement;
