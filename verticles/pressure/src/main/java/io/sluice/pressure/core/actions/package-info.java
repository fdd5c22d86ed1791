/** What the core returns to its verticle: requests to the ledger and to drivers with their replies, and notices. */
package io.sluice.pressure.core.actions;
