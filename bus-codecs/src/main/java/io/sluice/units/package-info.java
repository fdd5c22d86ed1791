/** Amounts: pure values with their units and the arithmetic that every room agrees on. */
package io.sluice.units;
