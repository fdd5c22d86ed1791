/** Decides when a queue's batches are closed and sent: events and the time in, actions out. Pure. */
package io.sluice.billing.outbox.core;
