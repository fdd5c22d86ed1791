/** Which pods of lower priority are evicted for a pod that no node can take, and when. */
package io.sluice.placement.core.preemption;
