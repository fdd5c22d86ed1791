/** Places pods: ranks nodes for a pending pod, holds room on one in the ledger, and binds the pod there. */
package io.sluice.placement;
