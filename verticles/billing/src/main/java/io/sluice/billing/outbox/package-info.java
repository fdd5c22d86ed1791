/** What is durable before it is considered taken, and how it leaves. */
package io.sluice.billing.outbox;
