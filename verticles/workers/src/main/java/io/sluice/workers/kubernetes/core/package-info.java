/** What pods of instances mean for the fleet, and what its orders mean for pods. Pure. */
package io.sluice.workers.kubernetes.core;
