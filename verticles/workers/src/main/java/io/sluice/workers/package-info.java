/** Machines that register themselves, and instances that run on them. */
package io.sluice.workers;
