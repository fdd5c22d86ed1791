/** Rules and scores for GPUs. */
package io.sluice.placement.core.devices;
