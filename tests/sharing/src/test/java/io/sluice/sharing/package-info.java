/** Several processes with the same role, with all other parts real. */
package io.sluice.sharing;
