/** Who takes events: an HTTP server, object stores, a file. */
package io.sluice.billing.sink;
