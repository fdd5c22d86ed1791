/** The durable store of events, and their delivery to sinks. */
package io.sluice.billing.outbox;
