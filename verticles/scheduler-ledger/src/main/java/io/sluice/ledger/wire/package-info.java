/** How books and commands on them stand on the wire between processes that keep the same books. */
package io.sluice.ledger.wire;
