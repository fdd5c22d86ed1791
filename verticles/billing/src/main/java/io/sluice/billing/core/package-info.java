/** What VMs used over time: samples and facts in, charges out. Pure. */
package io.sluice.billing.core;
