/** How events look to whoever takes them. Interop: no field may change. */
package io.sluice.billing.wire;
