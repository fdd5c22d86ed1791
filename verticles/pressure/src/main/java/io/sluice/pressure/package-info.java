/** The pressure role on the bus: hears of full nodes, asks the ledger and the drivers, and says who moves and why. */
package io.sluice.pressure;
