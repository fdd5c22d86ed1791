/** Several processes that carry the same role, with everything beside them real. */
package io.sluice.sharing;
