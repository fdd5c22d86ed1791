/** Sends the batches of an outbox to their sinks, queue by queue. */
package io.sluice.billing.outbox.delivery;
