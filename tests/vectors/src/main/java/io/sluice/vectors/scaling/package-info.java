/** Plays recordings of the scaling core: histories step by step, and tables of its pure functions. */
package io.sluice.vectors.scaling;
