/** Reads bills back from the files of a file sink. */
package io.sluice.billing.bill;
