/** The program on a worker: it registers, starts and ends instances as ordered, and reports them. */
package io.sluice.workers.agent;
