/** What the ledger reserves for instances, where their sizes change. */
package io.sluice.workers.resize;
