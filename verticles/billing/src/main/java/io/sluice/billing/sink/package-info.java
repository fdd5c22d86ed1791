/** Sinks of events: an HTTP receiver, object stores, files. */
package io.sluice.billing.sink;
