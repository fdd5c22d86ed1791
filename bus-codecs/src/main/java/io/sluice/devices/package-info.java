/**
 * GPUs and NUMA zones of nodes, requests for them, and which of them a request gets. Pure, and used by whoever holds or
 * proposes room.
 */
package io.sluice.devices;
