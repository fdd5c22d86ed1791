/** Amounts: pure values with their units and arithmetic. */
package io.sluice.units;
