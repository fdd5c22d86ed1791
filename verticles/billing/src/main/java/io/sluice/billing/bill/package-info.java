/** Bills, read back from the files that they were written to. */
package io.sluice.billing.bill;
