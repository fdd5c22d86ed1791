/** What outlives a scheduler: its workers, its instances and its open orders. */
package io.sluice.workers.store;
