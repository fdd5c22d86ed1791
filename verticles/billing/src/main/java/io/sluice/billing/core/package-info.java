/** Turns samples and observations of VMs into usage records. Pure. */
package io.sluice.billing.core;
