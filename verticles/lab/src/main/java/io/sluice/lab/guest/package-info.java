/** Guests of the lab: what answers inside a VM, metrics and monitor, over loopback addresses of their own. */
package io.sluice.lab.guest;
