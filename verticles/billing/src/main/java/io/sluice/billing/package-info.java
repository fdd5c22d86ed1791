/** Measures what VMs use, and sends it as events to sinks without losing any of it. */
package io.sluice.billing;
