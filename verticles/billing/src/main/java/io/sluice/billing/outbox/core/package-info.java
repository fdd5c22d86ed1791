/** When a lane's batches are closed and sent: what happened and the time in, what to do out. Pure. */
package io.sluice.billing.outbox.core;
