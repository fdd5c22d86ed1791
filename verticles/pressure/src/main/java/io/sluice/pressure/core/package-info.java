/** Chooses and follows migrations. It is pure: the time is an argument, and actions are results. */
package io.sluice.pressure.core;
