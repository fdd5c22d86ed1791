/** Real processes, faults done to them, and strict agents that notice every promise that is not kept. */
package io.sluice.cluster;
