/** The formats of events as receivers accept them. Interop: no field may change. */
package io.sluice.billing.wire;
