/** Where books are kept. */
package io.sluice.ledger.store;
